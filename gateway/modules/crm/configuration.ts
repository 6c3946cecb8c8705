import { namedAddresses, optional, setting, webAddress } from '../../platform/configuration'

/** What an operator tells customer relations. */
export const crmSettings = {
  aliasSyncUrls: setting(
    'ALIAS_SYNC_URLS',
    namedAddresses,
    '{}',
    'Where the systems that know customers by their alias are told of a change, by system (smsPlatform, voicePlatform, buka, erp, reportStore, channelNotes). A system without an address is shown as not connected.',
  ),
  registerUrl: optional('REGISTER_URL', webAddress, 'Where customers of a partner register; invite links lead there.'),
  promotionPages: setting(
    'PROMOTION_PAGES',
    namedAddresses,
    '{}',
    'Pages by name that staff give to prospects as their personal promotion links; the job number is added as `promoterNo`.',
  ),
}
