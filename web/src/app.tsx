import { Component, lazy, type ReactNode, Suspense, useEffect } from "react";
import { Link, Route, Routes, useLocation, useMatch } from "react-router";
import { HomePage } from "./lobby/page";
import { loadTable } from "./lobby/start";
import { Empty, PagePending } from "./ui/basic";
import { Header } from "./layout/header";

const TablePage = lazy(loadTable);
const ReplayPage = lazy(() => import("./replay/page"));
const StrategyPage = lazy(() => import("./strategy/page"));
const RecordPage = lazy(() => import("./record/page"));
const RunsPage = lazy(() => import("./runs/page"));
const EmpiricalGamePage = lazy(() => import("./empirical-game/page"));
const RunPage = lazy(() => import("./runs/run"));
const ArenaPage = lazy(() => import("./arena/page"));
const ArenaMatchPage = lazy(() => import("./arena/match"));
const ResearcherPage = lazy(() => import("./researcher"));
const StudyPages = lazy(() => import("./study"));

/** A server that runs a study says so in its page, and has no other pages than the study's. */
const studying = document.querySelector('meta[name="parlor-study"]') !== null;

export function App() {
  const watching = useMatch("/researcher") !== null;
  if (!studying) return <Pages />;
  return (
    <ErrorBoundary>
      <Suspense fallback={<PagePending what="the study" />}>{watching ? <ResearcherPage /> : <StudyPages />}</Suspense>
    </ErrorBoundary>
  );
}

function Pages() {
  const { pathname } = useLocation();
  useEffect(() => {
    window.scrollTo(0, 0);
  }, [pathname]);
  const atTable = useMatch("/table/:id") !== null; // it has a bar of its own, and the whole window
  return (
    <div className="flex min-h-dvh flex-col">
      {!atTable && <Header />}
      <main className={atTable ? "w-full" : "mx-auto w-full max-w-7xl grow px-3 py-4 sm:px-5"}>
        <ErrorBoundary key={pathname}>
          <Suspense
            fallback={atTable ? <h1 className="sr-only">Loading the table</h1> : <PagePending what="the page" />}
          >
            <Routes>
              <Route index element={<HomePage />} />
              <Route path="table/:id" element={<TablePage />} />
              <Route path="table/:id/replay" element={<ReplayPage />} />
              <Route path="record" element={<RecordPage />} />
              <Route path="strategy" element={<StrategyPage />} />
              <Route path="runs" element={<RunsPage />} />
              <Route path="runs/:id" element={<RunPage />} />
              <Route path="empirical-games/:id" element={<EmpiricalGamePage />} />
              <Route path="arena" element={<ArenaPage />} />
              <Route path="arena/match/:id" element={<ArenaMatchPage />} />
              <Route path="*" element={<NotFound />} />
            </Routes>
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function NotFound() {
  return (
    <Empty>
      <h1 className="mb-2 text-xl">Nothing here</h1>
      There is nothing at this address.{" "}
      <Link className="underline" to="/">
        To the start
      </Link>
    </Empty>
  );
}

/** A mistake in a page must not leave the person before a blank one. */
class ErrorBoundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };
  static getDerivedStateFromError() {
    return { broken: true };
  }
  override render() {
    if (!this.state.broken) return this.props.children;
    return (
      <PagePending
        what="the page"
        problem="This page could not be drawn. Nothing is lost: everything is safe on the server."
        again={() => window.location.reload()}
      />
    );
  }
}
