import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The page is served by the Python process from parlor/server/static; while developing, `npm run dev` serves it
// and hands the API on to a `parlor serve` on port 8000.
export default defineConfig({
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "../parlor/server/static",
    emptyOutDir: true,
    target: ["chrome123", "firefox121", "safari17.5"], // the first ones with light-dark()
    cssTarget: ["chrome123", "firefox121", "safari17.5"],
    chunkSizeWarningLimit: 600, // the charts of the runs page, loaded only there
  },
  server: { proxy: { "/api": { target: "http://127.0.0.1:8000", ws: true } } },
});
