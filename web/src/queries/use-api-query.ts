// Questions to the API, by TanStack Query: what is asked at once by several parts of a page is asked once.
import { QueryClient, keepPreviousData, useQuery, type UseQueryOptions } from "@tanstack/react-query";
import { type ApiError, errorText, isUnreachable, retryDelay } from "../api/client";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (_, error) => isUnreachable(error),
      retryDelay: (tries) => retryDelay(tries + 2),
      networkMode: "always", // the server may be on this device
      refetchOnWindowFocus: false,
      placeholderData: keepPreviousData,
      gcTime: 0, // a page that is opened again asks again
    },
  },
});

type Options<T> = Pick<UseQueryOptions<T, ApiError>, "refetchInterval" | "staleTime" | "gcTime">;

/**
 * Ask whenever `key` changes; the previous answer stays until the next one is there, and is `stale` meanwhile. An empty
 * key asks nothing. While the server is away it is asked again by itself.
 */
export function useApiQuery<T>(key: string, question: () => Promise<T>, options: Options<T> = {}) {
  const { data, failureReason, isPlaceholderData, refetch } = useQuery<T, ApiError>({
    queryKey: [key],
    queryFn: question,
    enabled: key !== "",
    ...options,
  });
  return {
    data,
    stale: isPlaceholderData,
    problem: failureReason ? errorText(failureReason) : undefined,
    status: failureReason?.status ?? 0,
    again: () => void refetch(),
  };
}
