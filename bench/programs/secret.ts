/** `WAYBILL_SECRET` of the service under load, and of all that reads what it keeps. */
export const SECRET_HEX = 'b'.repeat(64);
export const SECRET = Buffer.from(SECRET_HEX, 'hex');
