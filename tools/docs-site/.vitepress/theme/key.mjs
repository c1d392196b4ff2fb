import { ref } from 'vue'

/** The key that a person typed, for all forms. It is in memory alone, and gone when the page is left. */
export const key = ref('')
