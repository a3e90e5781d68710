import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { App } from "./app";
import { SignedIn } from "./layout/sign-in";
import { applyTheme } from "./store";
import "./style.css";

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <BrowserRouter>
      <SignedIn>
        <App />
      </SignedIn>
    </BrowserRouter>
  </StrictMode>,
);
