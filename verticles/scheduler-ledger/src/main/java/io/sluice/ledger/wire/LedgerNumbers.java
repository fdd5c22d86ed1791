package io.sluice.ledger.wire;

import io.sluice.ledger.core.ObservationReply;
import io.sluice.ledger.core.state.Contact;
import io.sluice.wire.WireEnum;

/** The numbers of the ledger's enum constants on the wire. A number is never used again for another constant. */
final class LedgerNumbers {
    static final WireEnum<Contact> CONTACT = new WireEnum<>(Contact.class, contact -> switch (contact) {
        case RECOVERED -> 1;
        case RECLAIMED -> 2;
        case FOUND -> 3;
        case REQUESTED -> 4;
        case SWITCHED_OFF -> 5;
        case EXPOSED -> 6;
    });

    static final WireEnum<ObservationReply> OBSERVATION_REPLY =
            new WireEnum<>(ObservationReply.class, reply -> switch (reply) {
                case TAKEN -> 1;
                case KNOWN -> 2;
                case DROPPED -> 3;
                case OVERFLOW -> 4;
                case POD_MISSING -> 5;
            });

    private LedgerNumbers() {}
}
