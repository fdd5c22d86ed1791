package io.sluice.shell;

import java.util.Objects;
import java.util.Optional;

/**
 * Whether this process may do now what one process at a time does.
 *
 * @param number differs between two terms of this process if another process may have had one between them
 * @param missing why it may not, in a sentence; empty while no other process may
 */
public record SoleTerm(long number, Optional<String> missing) {
    public SoleTerm {
        Objects.requireNonNull(missing, "missing");
    }

    /** The number of the term; empty while there is none. */
    public Optional<Long> begun() {
        return missing.isEmpty() ? Optional.of(number) : Optional.empty();
    }
}
