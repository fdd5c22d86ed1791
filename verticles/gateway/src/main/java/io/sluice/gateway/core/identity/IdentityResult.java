package io.sluice.gateway.core.identity;

import io.sluice.gateway.core.Caller;
import io.sluice.gateway.core.HttpAnswer;
import java.util.Objects;

/** The result of identifying a client. */
public sealed interface IdentityResult {
    /** A client that may request permits for pods. */
    record Agent(Caller caller) implements IdentityResult {
        public Agent {
            Objects.requireNonNull(caller, "caller");
        }
    }

    /** A client that may not, with the reply to it and the detail for the log. */
    record Stranger(TokenRefusal reason, HttpAnswer answer, String detail) implements IdentityResult {
        public Stranger {
            Objects.requireNonNull(reason, "reason");
            Objects.requireNonNull(answer, "answer");
            Objects.requireNonNull(detail, "detail");
        }
    }

    /** A client that cannot be identified now. */
    record Unknown(HttpAnswer answer) implements IdentityResult {
        public Unknown {
            Objects.requireNonNull(answer, "answer");
        }
    }
}
