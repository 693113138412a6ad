import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"

const toText = (value: Option.Option<string | number>): string | undefined =>
  Option.getOrUndefined(Option.map(value, String))

export const serveCommand = Command.make(
  "serve",
  {
    port: Flag.Int("port").pipe(
      Flag.filter(
        (port) => port >= 0 && port <= 65_535,
        () => "an integer from 0 to 65535"
      ),
      Flag.optional,
      Flag.withDescription("Port to listen on; 0 takes any free one (8080; a worker listens only when told)")
    ),
    host: Flag.String("host").pipe(Flag.optional, Flag.withDescription("Address to listen on (127.0.0.1)")),
    role: Flag.Literals("role", ["all", "api", "worker"]).pipe(
      Flag.optional,
      Flag.withDescription("Answer requests, run jobs, or both (all)")
    )
  },
  Effect.fnUntraced(function* ({ host, port, role }) {
    const { serve } = yield* Effect.promise(() => import("../serve.ts"))
    yield* serve({
      LOOPBOX_PORT: { flag: "--port", text: toText(port) },
      LOOPBOX_HOST: { flag: "--host", text: toText(host) },
      LOOPBOX_ROLE: { flag: "--role", text: toText(role) }
    })
  })
).pipe(Command.withDescription("Serve the API and run jobs until SIGTERM"))
