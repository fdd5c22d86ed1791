package io.sluice.bus;

import io.vertx.core.eventbus.ReplyException;

/** Why a question was not answered, in words for people. */
public final class RequestFailureText {
    private RequestFailureText() {}

    /** A sentence without its end. */
    public static String why(RequestAddress<?, ?> address, Throwable lost) {
        if (lost instanceof ReplyException reply) {
            return switch (reply.failureType()) {
                case TIMEOUT ->
                    "there was no answer within " + address.timeout().toSeconds() + " s";
                case NO_HANDLERS -> "nobody answers there";
                case RECIPIENT_FAILURE -> Bus.cut(String.valueOf(reply.getMessage()));
                case ERROR -> Bus.cut("the question could not be sent: " + reply.getMessage());
            };
        }
        return Bus.cut(lost.getMessage() == null ? lost.toString() : lost.getMessage());
    }
}
