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
  kingdeeUrl: optional(
    'KINGDEE_URL',
    webAddress,
    'Address of Kingdee Cloud, below which its Web API (`Kingdee.BOS.WebApi...`) answers, e.g. `https://erp.example.com/k3cloud`. Without it documents are exported and imported as files.',
  ),
  kingdeeAccount: optional('KINGDEE_ACCOUNT', anyText, 'Id of the account set in Kingdee.'),
  kingdeeUser: optional('KINGDEE_USER', anyText, 'User of the Web API of Kingdee.'),
  kingdeePassword: secret('KINGDEE_PASSWORD', 'Password of that user.'),
}
