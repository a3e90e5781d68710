import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { QueryClientProvider } from "@tanstack/react-query";
import { BrowserRouter } from "react-router";
import { App } from "./app";
import { SignedIn } from "./layout/sign-in";
import { queryClient } from "./queries/use-api-query";
import { applyTheme } from "./store/preferences";
import "./style.css";

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <SignedIn>
          <App />
        </SignedIn>
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
);
