// docs: TanStack Query
import { MutationObserver, QueryClient, QueryObserver } from "@tanstack/query-core";

const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
window.reticle?.registerStore("queries", client); // queries.queries.prices/fruit.data, queries.mutations.1.status
// end

const prices = (kind) => ({
  queryKey: ["prices", kind],
  queryFn: async () => {
    const response = await fetch(`/api/prices/${kind}`);
    if (!response.ok) throw new Error(`prices failed: ${response.status}`);
    return response.json();
  },
});
document.querySelector("#fetch").onclick = () => new QueryObserver(client, prices("fruit")).subscribe(() => {});
document.querySelector("#fail").onclick = () => new QueryObserver(client, prices("gone")).subscribe(() => {});
document.querySelector("#change").onclick = () => client.setQueryData(["prices", "fruit"], { pear: 4 });
document.querySelector("#other").onclick = () => new MutationObserver(client, { mutationFn: async (item) => item }).mutate({ name: "pear" });
