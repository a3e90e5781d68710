import { api, ask, bearer, said } from "../api/client";
import { Button } from "./basic";

/** The game as a file, which can be imported again. */
export function SaveGame({ id, token, onProblem }: { id: string; token: string; onProblem: (sentence: string) => void }) {
  async function save() {
    onProblem("");
    try {
      const record = await ask(api.GET("/api/tables/{table}/record", { params: { path: { table: id } }, headers: bearer(token) }));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([JSON.stringify(record, null, 1)], { type: "application/json" }));
      link.download = `parlor-${record.game.replace(/[^\w-]+/g, "-")}-${id.slice(0, 6)}.json`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch (error) {
      onProblem(said(error));
    }
  }
  return <Button onClick={() => void save()}>Save as a file</Button>;
}
