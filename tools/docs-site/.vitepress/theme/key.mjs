import { ref } from 'vue'

/** The API key that a person entered, shared by all forms. It stays in memory and is gone when the page is closed. */
export const key = ref('')
