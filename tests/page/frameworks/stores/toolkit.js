// docs: Redux Toolkit
import { configureStore, createSlice } from "@reduxjs/toolkit";
import { createApi, fetchBaseQuery } from "@reduxjs/toolkit/query";

const cart = createSlice({
  name: "cart",
  initialState: { items: [] },
  reducers: { added: (state, { payload }) => void state.items.push(payload) },
});
const api = createApi({
  baseQuery: fetchBaseQuery({ baseUrl: `${location.origin}/api` }),
  endpoints: (build) => ({ prices: build.query({ query: (kind) => `/prices/${kind}` }) }),
});
const store = configureStore({
  reducer: { cart: cart.reducer, [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
});
window.reticle?.registerStore("app", store);
// end

document.querySelector("#change").onclick = () => store.dispatch(cart.actions.added({ name: "pear", price: 3 }));
document.querySelector("#fetch").onclick = () => store.dispatch(api.endpoints.prices.initiate("fruit"));
document.querySelector("#fail").onclick = () => store.dispatch(api.endpoints.prices.initiate("gone"));
