import { createApp, h } from "vue";
import Options from "./Options.vue";
import Setup from "./Setup.vue";

createApp({ render: () => [h(Setup), h(Options)] }).mount("#app");
