package io.sluice.gateway.core;

import java.util.Objects;

/** What came of asking who somebody is. */
public sealed interface IdentityResult {
    /** At a door that does not ask. */
    IdentityResult ANYBODY = new Agent(Caller.ANYBODY);

    /** One who may ask for pods. */
    record Agent(Caller caller) implements IdentityResult {
        public Agent {
            Objects.requireNonNull(caller, "caller");
        }
    }

    /** One who may not, with what it is told and what the log is told. */
    record Stranger(TokenRefusal reason, HttpAnswer answer, String detail) implements IdentityResult {
        public Stranger {
            Objects.requireNonNull(reason, "reason");
            Objects.requireNonNull(answer, "answer");
            Objects.requireNonNull(detail, "detail");
        }
    }

    /** One of whom nothing can be said for now. */
    record Unknown(HttpAnswer answer) implements IdentityResult {
        public Unknown {
            Objects.requireNonNull(answer, "answer");
        }
    }
}
