package io.sluice.bus;

import io.vertx.core.eventbus.ReplyException;

/** Explains to users why a request got no reply. */
public final class RequestFailureText {
    private RequestFailureText() {}

    /** The reason, as a sentence without its final period. */
    public static String why(RequestAddress<?, ?> address, Throwable lost) {
        if (lost instanceof ReplyException reply) {
            return switch (reply.failureType()) {
                case TIMEOUT -> "there was no reply within " + address.timeout().toSeconds() + " s";
                case NO_HANDLERS -> "no process serves that address";
                case RECIPIENT_FAILURE -> Bus.cut(String.valueOf(reply.getMessage()));
                case ERROR -> Bus.cut("the request could not be sent: " + reply.getMessage());
            };
        }
        return Bus.cut(lost.getMessage() == null ? lost.toString() : lost.getMessage());
    }
}
