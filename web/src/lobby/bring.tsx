// A game that was saved as a file comes back as a table.
import { useState } from "react";
import { useNavigate } from "react-router";
import { type GameRecord, api, ask, errorText } from "../api/client";
import { Panel, ErrorMessage } from "../ui/basic";
import { FileButton } from "../ui/file-button";
import { keepSeat } from "../store/seats";

export function ImportGame() {
  const navigate = useNavigate();
  const [problem, setProblem] = useState("");

  async function bring(text: string) {
    setProblem("");
    try {
      const seated = await ask(api.POST("/api/tables/import", { body: parse(text) }));
      keepSeat(seated.state, seated.token);
      await navigate(`/table/${seated.state.id}/replay`);
    } catch (error) {
      setProblem(errorText(error));
    }
  }

  return (
    <Panel title="Bring a game">
      <p className="mb-2 text-sm text-soft">A game that was saved as a file plays again exactly, move by move.</p>
      <FileButton label="A game file to import" onText={bring}>
        Open a game file …
      </FileButton>
      {problem && (
        <div className="mt-3">
          <ErrorMessage>{problem}</ErrorMessage>
        </div>
      )}
    </Panel>
  );
}

function parse(text: string): GameRecord {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error("This file is not a saved game: it is not JSON.");
  }
  if (typeof file !== "object" || file === null || !("format" in file) || !("moves" in file))
    throw new Error("This file is not a saved game: it must be one that “Save as a file” has made.");
  return file as GameRecord;
}
