import { anyText, optional, secret } from '../../platform/configuration'

/** Where a machine listens. */
export interface HostPort {
  host: string
  port: number
}

/** `host:port`; an IPv6 address stands in brackets. */
const hostPort = {
  label: 'host:port',
  read(text: string): HostPort {
    const found = /^(?:\[([0-9a-fA-F:]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(text)
    const port = Number(found?.[3])
    if (!found || port < 1 || port > 65_535) throw new Error('must be host:port')
    return { host: (found[1] ?? found[2])!, port }
  },
}

/** Tag of an optional parameter of SMPP, in the range that is left to vendors. */
const vendorTag = {
  label: '1400-3FFF (hexadecimal)',
  read(text: string): number {
    const tag = Number.parseInt(text, 16)
    if (!/^(0x)?[0-9a-f]{4}$/i.test(text) || tag < 0x1400 || tag > 0x3fff)
      throw new Error('must be a hexadecimal number from 1400 to 3FFF')
    return tag
  },
}

/** What an operator tells operations: where tests of messages and calls go. */
export const opsSettings = {
  smppAddress: optional(
    'SMPP_ADDRESS',
    hostPort,
    'Where the SMS platform takes test messages by SMPP 3.4, e.g. `smpp.example.com:2775`. Without it SMS tests are not connected.',
  ),
  smppSystemId: optional('SMPP_SYSTEM_ID', anyText, 'System id of the bind for test messages.'),
  smppPassword: secret('SMPP_PASSWORD', 'Password of that bind.'),
  smppChannelTag: optional(
    'SMPP_CHANNEL_TAG',
    vendorTag,
    'Optional parameter of `submit_sm` in which the platform expects the code of the channel. Without it tests name no channel, the platform routes them.',
  ),
  sipAddress: optional(
    'SIP_ADDRESS',
    hostPort,
    'Where test and group calls go by SIP over UDP, e.g. `sip.example.com:5060`. Without it they are not connected.',
  ),
  sipUser: optional('SIP_USER', anyText, 'User for a SIP gateway that asks for one (digest).'),
  sipPassword: secret('SIP_PASSWORD', 'Password of that user.'),
}
