/** Where these screens are loaded from: apart, so that the portal does not know of every file that one of them needs. */
export const mergeCustomers = () => import('./merge/MergeCustomers')
export const handOver = () => import('./handOver/HandOver')
export const trafficLine = () => import('./traffic/TrafficLine')
export const today = () => import('./today/Today')
