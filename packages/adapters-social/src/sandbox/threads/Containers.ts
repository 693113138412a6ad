import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import type { NewWriting } from "../World.ts"

/** What waits to be published. */
interface Container {
  readonly id: string
  readonly draft: NewWriting
  readonly readyAt: DateTime.Utc
  readonly endsAt: DateTime.Utc
  readonly isPublished: boolean
}

export type ContainerStatus = "IN_PROGRESS" | "FINISHED" | "PUBLISHED" | "EXPIRED"

const mostContainers = 10_000

/** Threads' containers: a text on its way to be a post; each is published once. */
export class Containers {
  private readonly containers = new Map<string, Container>()

  readonly add = (id: string, draft: NewWriting, delay_ms: number, at: DateTime.Utc): void => {
    const endsAt = DateTime.add(at, { hours: 24 })
    const readyAt = DateTime.add(at, { milliseconds: delay_ms })
    this.containers.set(id, { id, draft, readyAt, endsAt, isPublished: false })
    for (const oldest of this.containers.keys()) {
      if (this.containers.size <= mostContainers) break
      this.containers.delete(oldest)
    }
  }

  readonly find = (id: string): Option.Option<Container> => Option.fromUndefinedOr(this.containers.get(id))

  readonly publish = (container: Container): void => {
    this.containers.set(container.id, { ...container, isPublished: true })
  }
}

export const statusOf = ({ endsAt, isPublished, readyAt }: Container, at: DateTime.Utc): ContainerStatus => {
  if (isPublished) return "PUBLISHED"
  if (DateTime.isLessThanOrEqualTo(endsAt, at)) return "EXPIRED"
  return DateTime.isLessThanOrEqualTo(readyAt, at) ? "FINISHED" : "IN_PROGRESS"
}
