import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as Layer from "effect/Layer"
import * as Mac from "effect/crypto/Mac"
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"

/**
 * effect's HMACs by Node's own crypto, as `NodeCrypto.layerMac` has them; but the bytes of a key become a `KeyObject`
 * once, not with every signature, of which that is four fifths.
 */
export const layerMac: Layer.Layer<Mac.Mac> = Layer.suspend(() => {
  const keys = new WeakMap<Uint8Array, KeyObject>()
  const keyOf = (bytes: Uint8Array): KeyObject => {
    const key = keys.get(bytes) ?? createSecretKey(bytes)
    keys.set(bytes, key)
    return key
  }
  return Mac.layerWebCryptoWith({
    hmac: (hash, key, data) => Uint8Array.from(createHmac(hash.replace("-", ""), keyOf(key)).update(data).digest())
  })
}).pipe(Layer.provide(NodeCrypto.layerSecureRandom))
