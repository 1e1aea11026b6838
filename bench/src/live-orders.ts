/** What the benchmark tells the two servers and the swarm of clients, and what they answer. */
export type LiveOrder =
  | { do: 'fill'; count: number; bytes: number }
  | { do: 'broadcast'; bytes: number }
  | { do: 'look' }
  | { do: 'connect'; port: number; count: number; perAddress: number; skipAddresses?: number }
  | { do: 'subscribe'; since: string | null; expect: number }
  | { do: 'expect'; count: number }
  /** Stops reading for good, as a hung peer does. */
  | { do: 'hang' }
  | { do: 'leave' };

export type LiveReport =
  | { did: 'listen'; port: number }
  | { did: 'fill'; latest: number }
  | { did: 'broadcast'; at: string }
  | { did: 'look'; rssBytes: number; reads: number; connections: number }
  | { did: 'connect'; seconds: number; dropped: number }
  | { did: 'ready' }
  /** Monotonic nanoseconds (one clock for all processes of a machine) at which each client had all it expected. */
  | { did: 'received'; at: string[]; started: string; dropped: number }
  | { did: 'leave' };
