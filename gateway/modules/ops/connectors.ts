import type { EntityEngine } from '../../entities'
import type { Configuration } from '../../platform/configuration'
import { opsSettings } from './configuration'
import type { Connectors } from './connector'
import { SipCaller } from './sip/caller'
import { SmppSender } from './smpp/sender'

const known = new WeakMap<EntityEngine, Connectors>()

/** The connections of this gateway, those that have an address. */
export function connectorsOf(engine: EntityEngine, configuration: Configuration): Connectors {
  const there = known.get(engine)
  if (there) return there
  const { smppAddress, smppSystemId, smppPassword, smppChannelTag, sipAddress, sipUser, sipPassword } =
    configuration.of(opsSettings)
  const made: Connectors = {
    sms: undefined,
    voice: undefined,
    namesChannels: smppChannelTag !== undefined,
    onReceipt: () => Promise.resolve(),
  }
  if (smppAddress)
    made.sms = new SmppSender(
      { ...smppAddress, systemId: smppSystemId ?? '', password: smppPassword ?? '', channelTag: smppChannelTag },
      (receipt) => made.onReceipt(receipt),
    )
  if (sipAddress) made.voice = new SipCaller({ ...sipAddress, user: sipUser, password: sipPassword ?? '' })
  known.set(engine, made)
  return made
}
