export { finishSupplierTransfer as verb } from '../moves/supplierTransfers'
