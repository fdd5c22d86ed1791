package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.state.LedgerView;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The public view of a reservation: everything that decides whether, when and how its VM migrates. */
class LedgerViewTest {
    private final Scene scene = Scene.loaded();

    @Test
    void aVmShowsWhatItRequestedWithAndWhatItIsLabelledAs() {
        scene.run(new LedgerCommand.ObservePod(
                new PodObserved("A", "ns", "A", Scene.NODE, "A", scene.nextVersion(), cpu(2000), 1234)));
        scene.run(new LedgerCommand.ObserveVm(
                Vm.of("A", 2000, 8000).overcommitted(2000).at(scene.nextVersion(), "A", true, true)));
        scene.request(new PermitRequest(
                Scene.NODE,
                "A",
                "",
                scene.session("A", "runner"),
                1,
                Scene.UNIT,
                cpu(2000),
                Optional.empty(),
                Optional.of(0.75f)));

        assertThat(traits("A"))
                .isEqualTo(new ReservationTraits(
                        cpu(1000),
                        new Overcommit(2000, 1000),
                        Scene.UNIT,
                        Optional.of(0.75f),
                        1234,
                        true,
                        true,
                        true,
                        false,
                        false));
        scene.mark("A");
        assertThat(traits("A").load1()).as("of a VM that migrates").isEmpty();
    }

    private ReservationTraits traits(String pod) {
        return LedgerView.full(scene.state, 0).reservations().stream()
                .filter(reservation -> reservation.pod().equals(pod))
                .map(ReservationView::traits)
                .findAny()
                .orElseThrow();
    }

    @Test
    void aPodShowsNothingButItsCharge() {
        scene.pod("P", cpu(300));

        var traits = traits("P");
        assertThat(traits.charge()).isEqualTo(cpu(300));
        assertThat(traits.unit()).isEqualTo(Resources.NONE);
        assertThat(traits.autoscaled() || traits.migratable() || traits.held() || traits.migrationTarget())
                .isFalse();
    }

    @Test
    void roomThatIsHeldAndATargetShowAsSuch() {
        scene.holdFor("one", cpu(100), Duration.ofSeconds(60));
        scene.target("T", "vm", "two", cpu(200));

        assertThat(traits("migration/ns/one").held()).isTrue();
        assertThat(traits("T").migrationTarget()).isTrue();
        assertThat(traits("T").held()).isFalse();
    }

    @Test
    void aTargetShowsForWhichAttemptTheRoomWasHeldThatItTookOver() {
        scene.holdFor("one", cpu(100), Duration.ofSeconds(60));
        scene.target("T", "vm", "one", cpu(100));
        scene.target("U", "other", "two", cpu(200));

        assertThat(traits("T").heldFor()).isEqualTo(Scene.MOVE);
        assertThat(traits("T").held()).isFalse();
        assertThat(traits("U").heldFor()).as("no room was held for it").isEmpty();
    }
}
