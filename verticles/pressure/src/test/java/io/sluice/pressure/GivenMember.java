package io.sluice.pressure;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.MigrationMark;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.pressure.core.choice.NodeScale;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A member for tests: migratable and heard from, unless told otherwise. */
public final class GivenMember {
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

    GivenMember(String vmName, Resources reserved) {
        uid = vmName;
        this.vmName = vmName;
        this.reserved = reserved;
    }

    public GivenMember reserved(Resources amount) {
        reserved = amount;
        return this;
    }

    public GivenMember pressure(Resources amount) {
        pressure = amount;
        return this;
    }

    public GivenMember buffer(Resources amount) {
        buffer = amount;
        return this;
    }

    public GivenMember overcommit(long milli) {
        overcommit = new Overcommit(milli, milli);
        return this;
    }

    public GivenMember load(double load1) {
        load = Optional.of((float) load1);
        return this;
    }

    public GivenMember createdAt(long seconds) {
        createdAt = seconds;
        return this;
    }

    public GivenMember migrating() {
        return marked(Given.ATTEMPT, true);
    }

    public GivenMember marked(String attempt, boolean begun) {
        marks.add(new MigrationMark(attempt, begun));
        return this;
    }

    public GivenMember recovered() {
        recovered = true;
        return this;
    }

    public GivenMember fixed() {
        migratable = false;
        return this;
    }

    public GivenMember always() {
        always = true;
        return this;
    }

    public GivenMember held() {
        held = true;
        return this;
    }

    public GivenMember target() {
        target = true;
        return this;
    }

    public GivenMember ofVm(String name) {
        vmName = name;
        return this;
    }

    public GivenMember withoutVm() {
        vmName = "";
        return this;
    }

    public ReservationView books() {
        var traits = new ReservationTraits(
                NodeScale.onNode(reserved, overcommit),
                overcommit,
                Given.cpu(250),
                load,
                createdAt,
                true,
                migratable,
                always,
                held,
                target,
                marks);
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
                recovered ? AgentContact.RECOVERED : AgentContact.HEARD,
                1,
                1,
                traits);
    }
}
