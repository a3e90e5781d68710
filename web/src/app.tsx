import { Component, lazy, type ReactNode, Suspense, useEffect } from "react";
import { Link, NavLink, Route, Routes, useLocation } from "react-router";
import { HomePage } from "./pages/home";
import { Button, Empty, Loading, Trouble } from "./parts/basic";
import { setTaste, type Theme, useTaste } from "./store";

const TablePage = lazy(() => import("./pages/table"));
const ReplayPage = lazy(() => import("./pages/replay"));
const StrategyPage = lazy(() => import("./pages/strategy"));
const RunsPage = lazy(() => import("./pages/runs"));
const RunPage = lazy(() => import("./pages/run"));

export function App() {
  const { pathname } = useLocation();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [pathname]);
  const atTable = /^\/table\/[^/]+$/.test(pathname); // it has a bar of its own, and the whole window
  return (
    <div className="flex min-h-dvh flex-col">
      {!atTable && <Header />}
      <main className={atTable ? "w-full" : "mx-auto w-full max-w-7xl grow px-3 py-4 sm:px-5"}>
        <Guard key={pathname}>
          <Suspense fallback={<Loading what="the page" />}>
            <Routes>
              <Route index element={<HomePage />} />
              <Route path="table/:id" element={<TablePage />} />
              <Route path="table/:id/replay" element={<ReplayPage />} />
              <Route path="strategy" element={<StrategyPage />} />
              <Route path="runs" element={<RunsPage />} />
              <Route path="runs/:id" element={<RunPage />} />
              <Route path="*" element={<Nowhere />} />
            </Routes>
          </Suspense>
        </Guard>
      </main>
    </div>
  );
}

const PLACES = [
  ["/", "Play"],
  ["/strategy", "Strategies"],
  ["/runs", "Runs"],
] as const;

function Header() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-panel/95 backdrop-blur">
      <div className="mx-auto flex max-w-7xl items-center gap-1 px-3 py-1.5 sm:gap-3 sm:px-5">
        <Link to="/" className="mr-1 flex items-center gap-2 rounded font-serif text-xl" aria-label="Parlor, to the start">
          <img src="/icon.svg" alt="" width={28} height={28} />
          <span className="hidden sm:inline">Parlor</span>
        </Link>
        <nav aria-label="Pages" className="flex grow gap-1">
          {PLACES.map(([to, text]) => (
            <NavLink
              key={to}
              to={to}
              end={to === "/"}
              className={({ isActive }) => `rounded-md px-2.5 py-2 text-sm sm:px-3 ${isActive ? "bg-raised font-semibold" : "text-soft hover:text-ink"}`}
            >
              {text}
            </NavLink>
          ))}
        </nav>
        <ThemeSwitch />
      </div>
    </header>
  );
}

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const SIGNS: Record<Theme, string> = { system: "◐", light: "☀", dark: "☾" };

function ThemeSwitch() {
  const { theme } = useTaste();
  return (
    <Button look="quiet" onClick={() => setTaste({ theme: NEXT[theme] })} aria-label={`Colours: ${theme}. Change to ${NEXT[theme]}`} title={`Colours: ${theme}`}>
      <span aria-hidden className="text-lg leading-none">
        {SIGNS[theme]}
      </span>
    </Button>
  );
}

function Nowhere() {
  return (
    <Empty>
      <h1 className="mb-2 text-xl">Nothing here</h1>
      There is nothing at this address. <Link className="underline" to="/">To the start</Link>
    </Empty>
  );
}

/** A mistake in a page must not leave the person before a blank one. */
class Guard extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    if (!this.state.broken) return this.props.children;
    return <Trouble again={() => window.location.reload()}>This page could not be drawn. Your games are safe on the server.</Trouble>;
  }
}
