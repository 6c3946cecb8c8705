import { anyText, optional, secret, webAddress } from '../../platform/configuration'

/** What an operator tells finance: where the systems are that it talks to. */
export const finSettings = {
  xeUrl: optional(
    'XE_URL',
    webAddress,
    'Address of the XE Currency Data API, below which `/v1/convert_to.json` answers. Without it rates are typed and imported.',
  ),
  xeAccount: optional('XE_ACCOUNT', anyText, 'Account id of the XE Currency Data API.'),
  xeKey: secret('XE_KEY', 'Key of the XE Currency Data API.'),
}
