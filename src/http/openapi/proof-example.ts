import type { Proof } from '../../audit/seals/proof.ts';

/** A whole proof; a test checks that it holds. */
export const proofExample: Proof = {
  link: {
    type: 'ChargeReserved',
    version: 3,
    revision: 2,
    data: {
      amount: -1,
      contactRef: 'u5KQm1x0T3yB7nXwE2aZpQ',
      outline: ['100000000000001', 'order_shipped', 'en_US'],
      balanceAfter: 9,
      at: '2026-11-21T12:00:00.000Z',
      sequence: 2,
      chargeId: '2',
      previousHash: 'GMszmicv0GksI7ARp97CNHPlgHR1dXM5aYImF9GfTrI',
      price: [
        'UTILITY',
        'India',
        'IN',
        'credits',
        'USD',
        'standard',
        1,
        'default-usd-2026-10',
        1400,
        1680,
        1,
        true,
      ],
      sealed:
        '2026-11.xOlFaUaEPzD51RCtJ6J559eME2eMyhnebAmyuKfl9x832XvKthjf2ZatgeG3ZoDZwN33n60wM-Vvbiz9iuMFHXaJZsqN-LskeIhACm_Y6tidnhOdf2LqBLtNO_1oXKNyp0mYFZfK337RatS8A2pXNGgQdVcUqzGOTrVIZARhs4o5VpxcrN59ql_yDFavSjwL6boJZWJpWdmRSRC0xSbvB6Jz4kTJ9HRl0A',
      hash: '5SoOtQTElRg1t5C14JMZgXZwvtYFTHC-Uk8g7muAZ6E',
    },
    index: 2,
    size: 6,
    path: [
      'sD5Xi6z3emrdbGrY6Bd6u63nlg3eHlFCKHOlsun33is=',
      'qk1YruJ0kNWnF309YXapeD6WhItgpKU+JqvFuyTjuoQ=',
      '/5D+dP14JjerXotyOyMCWhQ2pycplZd6ALuuemj2BEs=',
    ],
  },
  leaf: {
    accountId: 'acc_0192f6a47c1e7b529d3e5a1f0c2b8e11',
    sequence: 2,
    hash: 'e52a0eb504c4951835b790b5e09319817670bed6054c70be524f20ee6b8067a1',
    position: '0000000000000004',
  },
  index: 0,
  size: 2,
  path: ['uJBjzDUWD2FizkDKaIay5tTFcTPH0cNlNTzhloqtFhU='],
  note: 'waybill/01a20567-b1a2-7378-bb3e-b4e6a8228f64\n2\nXCEhWYeHu/O/Yt3Xd8lL2Xc3F2QRI1j9i7kwKDh34TA=\nseal 1\ntime 2026-11-21T12:00:00.000Z\nposition 0000000000000007\nnewest cdb2fe897992f622e496c149cff7e84cb8267a59022400e0295d4bf6a87703e0\nrecords 0 6 drwHfpEQ0MfcjlJYN0PurhGbUyeWCG2qrIrhU0OHBDE=\n\n— waybill/01a20567-b1a2-7378-bb3e-b4e6a8228f64 fuscfiVwEX03XTHQ2f5lZiFoty5zbxOSw27Ml6T4shDK+G1G+cXWTszKyPUccWdODL1+T0eXLbVoQp8ZqSfLmpmvcgQ=\n',
};
