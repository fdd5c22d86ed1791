package io.sluice.ledger.wire;

import io.sluice.bus.WireEnum;
import io.sluice.ledger.core.Contact;
import io.sluice.ledger.core.ObservationReply;

/** The number of every enum constant of the ledger's that travels. A number once given is never given again. */
final class LedgerNumbers {
    static final WireEnum<Contact> CONTACT = new WireEnum<>(Contact.class, contact -> switch (contact) {
        case RECOVERED -> 1;
        case SETTLED -> 2;
        case FOUND -> 3;
        case HEARD -> 4;
        case SWITCHED_OFF -> 5;
        case EXPOSED -> 6;
    });

    static final WireEnum<ObservationReply> FACT_REPLY =
            new WireEnum<>(ObservationReply.class, reply -> switch (reply) {
                case TAKEN -> 1;
                case KNOWN -> 2;
                case DROPPED -> 3;
                case OVERFLOW -> 4;
                case POD_MISSING -> 5;
            });

    private LedgerNumbers() {}
}
