/** Customer relations: duplicates, open sea, claims, caps, follow-ups, opportunities, hand-over; their rules, services, calls and jobs. */
export { crm } from './module'
export { contactsOf } from './demo/contacts'
export { inventSeeds } from './demo/customers'
export { changeCustomer, codeOf } from './demo/handovers'
export { BARRED } from './demo/restrictions'
export { ordinaryCustomers } from './demo/world'
