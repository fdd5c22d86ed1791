package io.sluice.ledger.core.state;

import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.MigrationMark;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The status of a reservation: hold, migration marks and contact to its agent.
 *
 * @param contact which requests its amounts rest on
 * @param throughUs whether it was held or bound through this ledger, so that no lost state can have granted it anything
 * @param heldUntil when its hold expires; empty once the pod is bound
 * @param heldFor the attempt that its room is held for; empty where none was named, and once the pod is bound
 * @param marks the migration marks, one for each attempt, sorted by attempt
 * @param forceReported whether the notice that the VM uses more than its reservation was sent since the last reply
 * @param arrival how a migration brought the pod here, if one did
 */
public record ReservationStatus(
        Contact contact,
        boolean throughUs,
        Optional<Instant> heldUntil,
        String heldFor,
        List<MigrationMark> marks,
        boolean forceReported,
        MigrationArrival arrival) {
    /** Bound, with nothing to wait for. */
    public static final ReservationStatus BOUND = bound(false, MigrationArrival.NONE);

    /** A VM has one migration under way and perhaps one that waits for it. Beyond this number no mark is set. */
    public static final int MARKS_MAX = 4;

    public ReservationStatus {
        Objects.requireNonNull(contact, "contact");
        Objects.requireNonNull(heldUntil, "heldUntil");
        Objects.requireNonNull(heldFor, "heldFor");
        marks = List.copyOf(marks);
        Objects.requireNonNull(arrival, "arrival");
    }

    /** Whether the pod is not bound yet. */
    public boolean held() {
        return heldUntil.isPresent();
    }

    /** Whether the VM migrates away. */
    public boolean migrating() {
        return !marks.isEmpty();
    }

    /** The mark of that migration attempt. */
    public Optional<MigrationMark> mark(String attempt) {
        return marks.stream().filter(mark -> mark.attempt().equals(attempt)).findFirst();
    }

    public static ReservationStatus bound(boolean throughUs, MigrationArrival arrival) {
        return new ReservationStatus(
                Contact.REQUESTED, throughUs, Optional.empty(), AttemptId.NONE, List.of(), false, arrival);
    }

    public static ReservationStatus holding(Instant until, String attempt) {
        return new ReservationStatus(
                Contact.REQUESTED, true, Optional.of(until), attempt, List.of(), false, MigrationArrival.NONE);
    }

    public ReservationStatus bound() {
        return new ReservationStatus(
                contact, throughUs, Optional.empty(), AttemptId.NONE, marks, forceReported, arrival);
    }

    public ReservationStatus heldTo(Instant until) {
        return new ReservationStatus(contact, throughUs, Optional.of(until), heldFor, marks, forceReported, arrival);
    }

    public ReservationStatus as(Contact newContact) {
        return new ReservationStatus(newContact, throughUs, heldUntil, heldFor, marks, forceReported, arrival);
    }

    /** The same with this mark, which replaces one of the same attempt. */
    public ReservationStatus with(MigrationMark mark) {
        return marked(Stream.concat(others(mark.attempt()), Stream.of(mark))
                .sorted(Comparator.comparing(MigrationMark::attempt))
                .toList());
    }

    /** The same without the mark of that attempt. */
    public ReservationStatus withoutMark(String attempt) {
        return marked(others(attempt).toList());
    }

    private Stream<MigrationMark> others(String attempt) {
        return marks.stream().filter(mark -> !mark.attempt().equals(attempt));
    }

    private ReservationStatus marked(List<MigrationMark> newMarks) {
        return new ReservationStatus(contact, throughUs, heldUntil, heldFor, newMarks, forceReported, arrival);
    }

    public ReservationStatus answered(Contact newContact) {
        return new ReservationStatus(newContact, throughUs, heldUntil, heldFor, marks, false, arrival);
    }

    public ReservationStatus withForceReported() {
        return new ReservationStatus(contact, throughUs, heldUntil, heldFor, marks, true, arrival);
    }

    public ReservationStatus arrived(MigrationArrival newArrival) {
        return new ReservationStatus(contact, throughUs, heldUntil, heldFor, marks, forceReported, newArrival);
    }
}
