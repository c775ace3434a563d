// Written by `npm run openapi`: change the routes or the catalog instead.

/** What a variable may be; the customer reads it as text. */
export type VariableValue = string | number | boolean;

/** The variables of each event of the catalog. */
export interface EventVariables {
  /** OTP verification. Sent when a customer signs in or confirms a number with a one-time code. */
  otp_verification: {
    /** The one-time code, 15 characters at most. Also what the copy-code button copies. */
    otp: VariableValue;
  };
  /** Password reset. Sent when a customer asks to reset a password and must prove who they are. */
  password_reset: {
    /** The one-time code, 15 characters at most. Also what the copy-code button copies. */
    otp: VariableValue;
  };
  /** Order verification. Sent when a customer must confirm an order with a one-time code before it is processed. */
  order_verification: {
    /** The one-time code, 15 characters at most. Also what the copy-code button copies. */
    otp: VariableValue;
  };
  /** Order confirmation. Sent when an order has been placed and accepted. */
  order_confirmation: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
    /** The total of the order, formatted and with its currency. */
    orderTotal: VariableValue;
    /** A link to the page that shows where the order is. */
    trackingLink: VariableValue;
  };
  /** Order status update. Sent when the status of an order changes and no other event says so. */
  order_status: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
    /** The new status of the order, in words. */
    orderStatus: VariableValue;
    /** A link to the page that shows where the order is. */
    trackingLink: VariableValue;
  };
  /** Order cancelled. Sent when an order has been cancelled, by the customer or by the shop. */
  order_cancelled: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
    /** Why the order was cancelled. */
    cancelReason: VariableValue;
  };
  /** Order shipped. Sent when an order has been handed to the carrier. */
  order_shipped: {
    /** The order number as the customer knows it. */
    orderId: VariableValue;
    /** The tracking number of the carrier. */
    awbCode: VariableValue;
    /** A link to the page that shows where the order is. */
    trackingLink: VariableValue;
  };
  /** Out for delivery. Sent when the carrier is on the way to the customer. */
  out_for_delivery: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
    /** A link to the page that shows where the order is. */
    trackingLink: VariableValue;
  };
  /** Order delivered. Sent when the carrier reports that an order was delivered. */
  order_delivered: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
  };
  /** Delivery failed. Sent when an order could not be delivered and a new time must be chosen. */
  delivery_failed: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
    /** Why the delivery failed. */
    failureReason: VariableValue;
    /** A link to the page that shows where the order is. */
    trackingLink: VariableValue;
  };
  /** Payment received. Sent when a payment for an order has arrived. */
  payment_received: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The amount, formatted and with its currency. */
    amount: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
  };
  /** Payment failed. Sent when a payment did not go through and can be tried again. */
  payment_failed: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The amount, formatted and with its currency. */
    amount: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
    /** A link to the page on which the customer can pay. */
    paymentLink: VariableValue;
  };
  /** Return requested. Sent when the request to return an order has been received. */
  return_requested: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
    /** The return number as the customer knows it. */
    returnId: VariableValue;
  };
  /** Return pickup scheduled. Sent when the day on which a return is collected has been set. */
  return_pickup_scheduled: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The return number as the customer knows it. */
    returnId: VariableValue;
    /** The day of the pickup, in words. */
    pickupDate: VariableValue;
  };
  /** Refund processed. Sent when a refund has been issued. */
  refund_processed: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The amount refunded, formatted and with its currency. */
    refundAmount: VariableValue;
    /** The order number as the customer knows it. */
    orderId: VariableValue;
  };
  /** Cart recovery. Sent when a customer has left a cart without paying. Check for an opt-out first. */
  cart_recovery: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The name of the product. */
    productName: VariableValue;
    /** A link to the cart that the customer left. */
    cartLink: VariableValue;
  };
  /** Review request. Sent some days after a delivery, to ask for a review. Check for an opt-out first. */
  review_request: {
    /** The name by which the customer is greeted. */
    customerName: VariableValue;
    /** The name of the product. */
    productName: VariableValue;
    /** A link to the page on which the customer can write a review. */
    reviewLink: VariableValue;
  };
  /** Back in stock. Sent when a product that a customer waits for can be bought again. Check for an opt-out first. */
  back_in_stock: {
    /** The name of the product. */
    productName: VariableValue;
    /** A link to the product. */
    productLink: VariableValue;
  };
}
