import type { EntityEngine } from '../../entities'
import type { Configuration } from '../../platform/configuration'
import { opsSettings } from './configuration'
import { SipCaller } from './sip/caller'
import { SmppSender } from './smpp/sender'

/** A machine of another maker that a test is done with: one adapter a protocol. */
export interface Connector<Order, Outcome> {
  /** Does one order. Rejects where the machine was not reached. */
  ask(order: Order, signal: AbortSignal): Promise<Outcome>
  close(): Promise<void>
}

export interface SmsOrder {
  /** In international format, with +. */
  to: string
  sender: string
  content: string
  /** Code of the channel that is tested. */
  channel: string | null
}

export interface SmsOutcome {
  accepted: boolean
  /** What the platform calls the message. */
  messageId: string | null
  /** Its command status where it refused. */
  errorCode: string | null
}

/** What the platform says later of a message. */
export interface SmsReceipt {
  messageId: string
  /** Dictionary `smsReceipt`. */
  state: 'delivered' | 'failed' | 'expired' | 'rejected' | 'unknown'
  errorCode: string | null
}

export interface CallOrder {
  caller: string
  callee: string
  /** Dictionary `voiceCodec`. */
  codec: string
  /** Seconds after the answer until we hang up. */
  holdSec: number
}

export interface CallOutcome {
  ringAt: Date | null
  answeredAt: Date | null
  endedAt: Date
  /** From the call to ringing or, without it, to the answer. */
  pddMs: number | null
  durationSec: number | null
  sipCode: number
  sipText: string
  /** Dictionary `callResult`. */
  result: 'answered' | 'noAnswer' | 'busy' | 'refused' | 'failed'
}

export interface Connectors {
  sms: Connector<SmsOrder, SmsOutcome> | undefined
  /** The platform is told which channel to take. */
  namesChannels: boolean
  voice: Connector<CallOrder, CallOutcome> | undefined
  /** Who hears of receipts. */
  onReceipt: (receipt: SmsReceipt) => Promise<void>
}

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
