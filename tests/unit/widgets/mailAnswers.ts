const at = '2026-03-10T02:05:00.000Z'
const row = {
  ...{ id: 'm1', accountId: 'a1', folderId: 'f1', threadId: 't1', direction: 'in', receiveTime: at, sentTime: at },
  ...{ subject: 'Rates of March', senderEmail: 'anna@carrier.example', senderName: 'Anna', previewText: 'Please find' },
  ...{ receiverEmailList: [{ email: 'sales@switchboard.example' }], ccEmailList: [], bccEmailList: [], replyToList: [] },
  ...{ hasAttachment: true, seen: true, starred: false, answered: false, forwarded: false, bounced: false },
  ...{ marks: ['k1'], warnings: ['firstTimeSender'], movedBecause: null, customerId: null, supplierId: null },
  ...{ followStaffId: 's2', followState: 'reading', readingById: 's2', readingUntil: '2099-01-01T00:00:00.000Z', size: 1_000 },
}
const folder = { id: 'f1', accountId: 'a1', role: 'inbox', path: 'INBOX', total: 1, unread: 0 }
const account = { id: 'a1', address: 'sales@switchboard.example', displayName: 'Sales', kind: 'shared', transport: 'local' }

/** What the gateway answers to whoever reads mail of a shared mailbox. */
export const mailAnswers: Readonly<Record<string, unknown>> = {
  '/v2/crm/mailCampaign/audience': {
    ...{ total: 12, skipped: { unsubscribed: 2 }, missing: [], sample: [{ name: 'Anna', customerName: 'Carrier' }] },
    ...{ tracked: false, sender: null, expectedEnd: null },
  },
  '/v2/emailbox/account/staff/state': {
    bound: true,
    accounts: [{ accountId: 'a1', address: account.address, state: 'active', syncError: null, lastSyncAt: at, right: 'write' }],
    failing: 0,
  },
  '/v2/mail/account/queryPage': { records: [account], total: 1 },
  '/v2/mail/folder/queryPage': { records: [folder], total: 1 },
  '/v2/emailbox/select/mark': [{ id: 'k1', name: 'Urgent', colour: 'red' }],
  '/v2/emailbox/select/follow': [{ id: 's2', name: 'Chen', jobNumber: 'S0002' }],
  '/v2/emailbox/receive/query': { list: [row], total: 1, page: 1, size: 50, searching: false, failed: [] },
  '/v2/emailbox/email/detail': {
    ...row,
    ...{ messageId: '<1@carrier.example>', role: 'inbox', content: '<p>Please find our rates.</p>', htmlCut: false },
    ...{ attachments: [{ name: 'rates.pdf', size: 2_048, type: 'application/pdf', contentId: null, inline: false, index: 0 }] },
    ...{ charsetGuessed: null, remoteImages: false, imagesTrusted: false, origin: 'Verified.', listPost: null, customer: null },
    ...{ receiptTo: null, receiptState: null, receipts: [], thread: [] },
  },
}
