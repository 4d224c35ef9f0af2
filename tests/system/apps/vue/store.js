import { reactive } from "vue";

/** What was ordered. */
export const orders = reactive({ names: [], said: "", onSaved: () => {} });
