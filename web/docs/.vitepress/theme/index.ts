import { type Theme, useData } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { onMounted, watch } from "vue";
import { storeChoice, THEME_KEY } from "../../../src/lib/storage.ts";
import "./fonts.css";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
  setup() {
    const { isDark } = useData();
    // As on the pages of the hub: says that clicks and keys work now.
    onMounted(() => {
      document.documentElement.dataset.ready = "true";
    });
    // The choice holds for the hub's pages and boards as well; boot.js reads it.
    watch(isDark, (dark) => {
      const system = matchMedia("(prefers-color-scheme: dark)").matches;
      storeChoice(THEME_KEY, dark === system ? null : dark ? "dark" : "light");
    });
  },
};

export default theme;
