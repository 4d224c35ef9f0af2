import { configureStore, createSlice } from "@reduxjs/toolkit";
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import React from "react";
import { createRoot } from "react-dom/client";
import { Provider, useSelector } from "react-redux";

const cart = createSlice({ name: "cart", initialState: { items: [{ name: "pear" }] }, reducers: {} });
const store = configureStore({ reducer: { cart: cart.reducer } });
function Shop() {
  const items = useSelector((state) => state.cart.items);
  const { data } = useQuery({ queryKey: ["greeting"], queryFn: async () => "hello", staleTime: Infinity });
  return <p>{`${data} ${items.length}`}</p>;
}
createRoot(document.querySelector("#app")).render(
  <Provider store={store}>
    <QueryClientProvider client={new QueryClient()}>
      <Shop />
    </QueryClientProvider>
  </Provider>,
);
document.querySelector("#other").onclick = () => window.reticle.registerStore("shop", store);
