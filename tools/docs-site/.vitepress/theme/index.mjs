import DefaultTheme from 'vitepress/theme-without-fonts'
import './style.css'
import TryIt from './try-it.vue'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('TryIt', TryIt)
  },
}
