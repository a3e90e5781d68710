import { api, ask, bearer, errorText } from "../api/client";
import { Button } from "../ui/basic";
import { saveText } from "../ui/save-text";

/** The game as a file, which can be imported again. */
export function SaveGame({
  id,
  token,
  onProblem,
}: {
  id: string;
  token: string;
  onProblem: (sentence: string) => void;
}) {
  async function save() {
    onProblem("");
    try {
      const record = await ask(
        api.GET("/api/tables/{table}/record", { params: { path: { table: id } }, headers: bearer(token) }),
      );
      saveText(`parlor-${record.game}-${id.slice(0, 6)}.json`, JSON.stringify(record, null, 1));
    } catch (error) {
      onProblem(errorText(error));
    }
  }
  return <Button onClick={() => void save()}>Save as a file</Button>;
}
