/** Where each group of expected figures follows from, in the words of docs/finance.md or of the guide; a change of a figure quotes its line. */
export const GUIDE = {
  accounts: [
    'money 1.1 Normal sides: customer, main = credit; supplier, bank = debit; amount × rate of bizDate [R 6]',
    'money 1.3 recharge, same currency: D bank net · D FEE charge (if ours) · C customer gross; to main: C main',
    'money 1.3 recharge, other currency: D bank X · C FXC X · D FXC Y · C customer Y; Y = X × rate [R currency decimals]',
    'money 8.6 us: credited = payAmount, fee to FEE; payer: credited = payAmount − bankFee',
    'money 1.3 allocation main → product: D main · C customer; transfer: D customer a · C customer b; gift: D GFT · C customer',
    'money 1.3 suspense: D bank · C SUS; claimed: D SUS · C customer/main',
    'money 1.3 payment: D supplier · C bank; D FEE · C bank; paymentRefund: D bank · C supplier; costAdjust: D COS · C supplier',
    'money 8.7 Amount paid in other currency than the supplier account: FXC with actualRate',
    'money 1.3 refund: D customer · C bank; credit note: D REV · C customer; debit note: D customer · C REV',
    'money 1.3 bad debt: D BAD · C customer; later cash = recharge + D customer · C BAD, bad debt first',
    'money 1.3 hedge: D HDG X · C customer X · D supplier Y · C HDG Y · FXD rest',
    'money 1.3 reversal: every leg mirrored; closed period → bizDate = first open day',
    'money 1.4 A second insert with the same key and the same payload returns the first posting',
  ],
  system: [
    'money 1.2 REV, COS, FXC, FXD (CNY only), FEE, HDG (base 0 after posting), TAX, RND, BAD, GFT, SUS, OPN per company entity and currency',
    'money 1.3 fxRealised: base legs customer against FXD at allocation to a bill; L7',
  ],
  bills: [
    'money 2.4 Generation: close at 00:00 zone + wait (DLR 72 h); usage, fee, adjustment (not those naming an issued bill) with billId null',
    'money 2.4 total [R]; rounding + tax postings; zero total → status paid; due = issue + termDays; open = total − Σ allocations',
    'money 2.4 Auto: FIFO by dueDate; B1',
    'finance.md A bill has a line for each kind, product, country, prefix, price and sub-account',
    'money 1.1 bizDate: rounding and tax are of the last day of the period that they round (a reading: the guide names no day)',
    'finance.md A change of cycle or of payment method closes them too and cuts the one that runs',
    'money 8.4 first short period to the next boundary, existing balance is consumed first; post→pre: period closed with a final bill',
    'finance.md What is dated into a period that has a bill already comes with the next bill',
    'finance.md What stood on a void bill comes with the next one once a later one is there; while none is, the period is billed again',
    'finance.md It takes from the receipts that the form names, else the newest that are on no bill',
  ],
  consumption: [
    'quotes-traffic 5.2 network, then country; longest prefix; a price holds from its moment on',
    'quotes-traffic 5.3 segments, 5.4 modes, 5.5 seconds and half up per call, 5.6 numbers, 5.7 WhatsApp, 2.5 mail',
    "quotes-traffic 7.1 billDay = date in the account's zone of submittedAt (voice startAt; number the charge date)",
    'quotes-traffic 7.1 A billable late receipt is posted as adjustment on its arrival day',
    'finance.md Closed month: posted on the first open day, the service day is kept',
  ],
  cost: [
    "quotes-traffic 7.1 costDay the same in the supplier account's zone",
    'quotes-traffic 2.4 one row a try; the supplier ledger comes from here: each to its own account, currency and day',
    'finance.md The row of the channel, then a row without channel, never another channel’s',
    'finance.md Another zone applies from the first day that begins in it when the running day of the old zone is over',
  ],
  channels: [
    "quotes-traffic 7.2 A message counts once, on the row of its last attempt's channel; attempts and cost on each attempt's own channel",
  ],
  unbilled: ['finance.md Usage without a bill on page, job report and reconcile is zero or explained'],
  prepayment: [
    'finance.md Every allocation to a bill names its row: receipt, allocation, transfer, hedge, credit note, the balance from before its bills',
  ],
  revaluation: [
    'money 1.3 fxRevalue: amount 0; base legs against FXD; reversed on day 1; monetary accounts only (customer, main, supplier, bank, and SUS, which is owed to somebody)',
  ],
  credit: [
    'money 1.5 available = balance − unposted + creditLimitEffective − frozen',
    'money 2.1 used = max(0, −(balance − unposted)); overdueAmount = Σ open of bills with dueDate < today',
    'money L10 refundable = max(0, balance − gift − frozen); L5: rounded down',
  ],
  unrated: ['finance.md No cost rate is null, counted and named, never 0'],
  reconcile: [
    'money 1.7 I5, I7, I8, I9; quotes-traffic 7.6 R2',
    'finance.md Of a post-paid account balance = what is free − open bills − what is on no bill that was issued; a prepaid one has no open bill',
  ],
} satisfies Record<string, string[]>
