export { beginSupplierTransfer as verb } from '../moves/supplierTransfers'
