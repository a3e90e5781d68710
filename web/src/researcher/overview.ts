// What the server tells a researcher, as the parts of the page take it.
import type { Shapes } from "../api/client";

export type Overview = Shapes["Overview"];
export type StudyRuns = Overview["state"];
