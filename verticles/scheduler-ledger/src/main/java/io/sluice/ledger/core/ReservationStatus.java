package io.sluice.ledger.core;

import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.MigrationMark;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a member stands on its node.
 *
 * @param contact how far its amounts rest on its agent's word
 * @param throughUs whether it was held or bound through this ledger, so that no books before can have permitted it
 *     anything
 * @param heldUntil when its hold frees itself; empty once it is bound
 * @param heldFor the attempt that its room is held for; empty where none was named, and once it is bound
 * @param marks of the migrations that take its VM away, each of one of them, sorted by attempt
 * @param forcedTold whether it was told that the VM used more than the books held, since its last answer
 * @param arrival whether a migration brought it here
 */
public record ReservationStatus(
        Contact contact,
        boolean throughUs,
        Optional<Instant> heldUntil,
        String heldFor,
        List<MigrationMark> marks,
        boolean forcedTold,
        MigrationArrival arrival) {
    /** Bound, with nothing to wait for. */
    static final ReservationStatus BOUND = bound(false, MigrationArrival.NONE);

    /** A VM has one migration under way and perhaps one that waits for it; beyond this, nothing is marked. */
    static final int MARKS_MAX = 4;

    public ReservationStatus {
        Objects.requireNonNull(contact, "contact");
        Objects.requireNonNull(heldUntil, "heldUntil");
        Objects.requireNonNull(heldFor, "heldFor");
        marks = List.copyOf(marks);
        Objects.requireNonNull(arrival, "arrival");
    }

    /** Whether it is reserved and not bound yet. */
    public boolean held() {
        return heldUntil.isPresent();
    }

    /** Whether it is moving away. */
    public boolean migrating() {
        return !marks.isEmpty();
    }

    /** The mark of that migration. */
    Optional<MigrationMark> mark(String attempt) {
        return marks.stream().filter(mark -> mark.attempt().equals(attempt)).findFirst();
    }

    static ReservationStatus bound(boolean throughUs, MigrationArrival arrival) {
        return new ReservationStatus(
                Contact.HEARD, throughUs, Optional.empty(), AttemptId.NONE, List.of(), false, arrival);
    }

    static ReservationStatus holding(Instant until, String attempt) {
        return new ReservationStatus(
                Contact.HEARD, true, Optional.of(until), attempt, List.of(), false, MigrationArrival.NONE);
    }

    ReservationStatus bound() {
        return new ReservationStatus(contact, throughUs, Optional.empty(), AttemptId.NONE, marks, forcedTold, arrival);
    }

    ReservationStatus heldTo(Instant until) {
        return new ReservationStatus(contact, throughUs, Optional.of(until), heldFor, marks, forcedTold, arrival);
    }

    ReservationStatus as(Contact newContact) {
        return new ReservationStatus(newContact, throughUs, heldUntil, heldFor, marks, forcedTold, arrival);
    }

    /** With this mark, in place of one of the same attempt. */
    ReservationStatus with(MigrationMark mark) {
        return marked(Stream.concat(others(mark.attempt()), Stream.of(mark))
                .sorted(Comparator.comparing(MigrationMark::attempt))
                .toList());
    }

    /** Without the mark of that attempt. */
    ReservationStatus withoutMark(String attempt) {
        return marked(others(attempt).toList());
    }

    private Stream<MigrationMark> others(String attempt) {
        return marks.stream().filter(mark -> !mark.attempt().equals(attempt));
    }

    private ReservationStatus marked(List<MigrationMark> newMarks) {
        return new ReservationStatus(contact, throughUs, heldUntil, heldFor, newMarks, forcedTold, arrival);
    }

    ReservationStatus answered(Contact newContact) {
        return new ReservationStatus(newContact, throughUs, heldUntil, heldFor, marks, false, arrival);
    }

    ReservationStatus toldOfForce() {
        return new ReservationStatus(contact, throughUs, heldUntil, heldFor, marks, true, arrival);
    }

    ReservationStatus arrived(MigrationArrival newArrival) {
        return new ReservationStatus(contact, throughUs, heldUntil, heldFor, marks, forcedTold, newArrival);
    }
}
