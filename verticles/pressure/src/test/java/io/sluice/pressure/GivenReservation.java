package io.sluice.pressure;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A reservation for tests: of a migratable VM whose agent has sent requests, unless the test sets otherwise. */
public final class GivenReservation {
    private final String uid;
    private String vmName;
    private Resources reserved;
    private Resources pressure = Resources.NONE;
    private Resources buffer = Resources.NONE;
    private Overcommit overcommit = Overcommit.OFF;
    private Optional<Float> load = Optional.empty();
    private long createdAt;
    private final List<MigrationMark> marks = new ArrayList<>();
    private boolean recovered;
    private boolean migratable = true;
    private boolean always;
    private boolean held;
    private boolean target;
    private String heldFor = "";
    private FixedAmounts taken = FixedAmounts.NONE;

    GivenReservation(String vmName, Resources reserved) {
        uid = vmName;
        this.vmName = vmName;
        this.reserved = reserved;
    }

    public GivenReservation reserved(Resources amount) {
        reserved = amount;
        return this;
    }

    public GivenReservation pressure(Resources amount) {
        pressure = amount;
        return this;
    }

    public GivenReservation buffer(Resources amount) {
        buffer = amount;
        return this;
    }

    public GivenReservation overcommit(long milli) {
        overcommit = new Overcommit(milli, milli);
        return this;
    }

    public GivenReservation load(double load1) {
        load = Optional.of((float) load1);
        return this;
    }

    public GivenReservation createdAt(long seconds) {
        createdAt = seconds;
        return this;
    }

    public GivenReservation migrating() {
        return marked(Given.ATTEMPT, true);
    }

    public GivenReservation marked(String attempt, boolean begun) {
        marks.add(new MigrationMark(attempt, begun));
        return this;
    }

    public GivenReservation recovered() {
        recovered = true;
        return this;
    }

    public GivenReservation fixed() {
        migratable = false;
        return this;
    }

    public GivenReservation always() {
        always = true;
        return this;
    }

    public GivenReservation held() {
        held = true;
        return this;
    }

    public GivenReservation target() {
        target = true;
        return this;
    }

    /** A target that took over the room that was held for this attempt. */
    public GivenReservation tookOver(String attempt) {
        target = true;
        heldFor = attempt;
        return this;
    }

    public GivenReservation taking(FixedAmounts amounts) {
        taken = amounts;
        return this;
    }

    public GivenReservation ofVm(String name) {
        vmName = name;
        return this;
    }

    public GivenReservation withoutVm() {
        vmName = "";
        return this;
    }

    public ReservationView ledger() {
        var traits = new ReservationTraits(
                overcommit.charge(reserved),
                overcommit,
                Given.cpu(250),
                load,
                createdAt,
                true,
                migratable,
                always,
                held,
                target,
                marks,
                heldFor,
                taken);
        return new ReservationView(
                uid,
                Given.NAMESPACE,
                uid + "-pod",
                vmName,
                reserved,
                reserved.plus(pressure),
                pressure,
                buffer,
                reserved,
                !marks.isEmpty(),
                recovered ? AgentContact.RECOVERED : AgentContact.REQUESTED,
                1,
                1,
                traits);
    }
}
