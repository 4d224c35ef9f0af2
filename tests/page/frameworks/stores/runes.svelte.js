// docs: Svelte 5 runes
const cart = $state({ items: [] });
const count = $derived(cart.items.length);

window.reticle?.registerStore("cart", {
  get: () => ({ ...$state.snapshot(cart), count }),
  subscribe: (tell) =>
    $effect.root(() => {
      $effect(() => {
        $state.snapshot(cart);
        tell();
      });
    }),
});
// end

document.querySelector("#change").onclick = () => cart.items.push({ name: "pear", price: 3 });
