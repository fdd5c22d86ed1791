package io.sluice.agent.scheduler;

import static io.sluice.agent.scheduler.StandInScheduler.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.scheduler.core.SchedulerAddress;
import io.sluice.messages.ledger.permit.PermitReply;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Schedulers of a service: requests go to any of them, as Vert.x balances them. */
class SpreadSchedulersTest extends HttpSchedulerStage {
    private static final int MANY = 40;

    private final Service service = new Service();
    private long seq;

    /** A service whose endpoints a test sets. */
    private static final class Service implements SchedulerDirectory {
        private List<SchedulerAddress> known = List.of();

        @Override
        public Future<Void> start() {
            return Future.succeededFuture();
        }

        @Override
        public List<SchedulerAddress> known() {
            return known;
        }

        @Override
        public boolean spreads() {
            return true;
        }

        @Override
        public String whereabouts() {
            return "the service has no ready endpoint";
        }

        @Override
        public Future<Void> close() {
            return Future.succeededFuture();
        }
    }

    @Test
    void spreadsRequestsOverAllAndKeepsAConnectionToEach() {
        var schedulers = open(3);
        line(schedulers);
        requestMany();
        assertThat(schedulers)
                .allSatisfy(scheduler -> assertThat(scheduler.requested).hasSizeGreaterThan(1))
                .allSatisfy(scheduler -> assertThat(scheduler.connections).hasSize(1));
        assertThat(requested(schedulers)).isEqualTo(MANY);
    }

    @Test
    void repeatsARequestOnAnotherAndLetsTheOneThatFailedRest() {
        var schedulers = open(3);
        line(schedulers);
        schedulers.getFirst().close();
        requestMany();
        var others = schedulers.subList(1, 3);
        assertThat(requested(others)).isEqualTo(MANY);
        assertThat(failovers()).isPositive();
    }

    @Test
    void sendsTheSameRequestToEveryOneAtMostOnce() {
        var schedulers = open(2);
        line(schedulers);
        schedulers.forEach(scheduler ->
                scheduler.answers((request, body) -> request.connection().close()));
        assertThat(failure(request("a", 1))).contains("no response from");
        assertThat(schedulers)
                .allSatisfy(scheduler -> assertThat(scheduler.requested).hasSize(1));
        assertThat(failovers()).isEqualTo(1);
        // All rest: the next request is sent nevertheless, again to each of them once.
        assertThat(failure(request("a", 2))).contains("no response from");
        assertThat(schedulers)
                .allSatisfy(scheduler -> assertThat(scheduler.requested)
                        .extracting(body -> body.getLong("seq"))
                        .containsExactly(1L, 2L));
    }

    @Test
    void followsItsEndpoints() {
        var schedulers = open(2);
        line(schedulers.subList(0, 1));
        await(request("a", ++seq));
        set(schedulers.subList(1, 2));
        requestMany();
        assertThat(schedulers.getFirst().requested).hasSize(1);
        set(List.of());
        assertThat(failure(request("a", ++seq))).isEqualTo("no scheduler is known: the service has no ready endpoint");
        set(schedulers);
        requestMany();
        assertThat(schedulers.getFirst().requested).hasSizeGreaterThan(1);
    }

    @Test
    void usesTheOlderVersionOnTheOneThatRefusesTheNewer() {
        var schedulers = open(2);
        schedulers.getFirst().answers((request, body) -> {
            boolean known = body.getInteger("protoVersion") == 6;
            StandInScheduler.answering(
                            known ? 200 : 400,
                            known ? StandInScheduler.GRANTED : "Protocol version mismatch: Need v3.0 to v4.0")
                    .accept(request, body);
        });
        line(schedulers);
        requestMany();
        assertThat(versions(schedulers.getFirst())).containsEntry(7, 1L).containsKey(6);
        assertThat(versions(schedulers.getLast())).containsOnlyKeys(7);
    }

    private void requestMany() {
        for (int sent = 0; sent < MANY; sent++) {
            assertThat(await(request("a", ++seq))).isInstanceOf(PermitReply.Ruled.class);
        }
    }

    private List<StandInScheduler> open(int number) {
        return Stream.generate(() -> new StandInScheduler(vertx).open())
                .limit(number)
                .toList();
    }

    private void line(List<StandInScheduler> schedulers) {
        line = new HttpSchedulerClient(vertx, shell, config(LONG, List.of(), ""), service, terms());
        await(on(line::start));
        line.observed(vm("a"));
        set(schedulers);
    }

    private void set(List<StandInScheduler> schedulers) {
        var urls = urls(schedulers.toArray(StandInScheduler[]::new));
        await(on(() -> {
            service.known = config(LONG, urls, "").addresses();
            return Future.succeededFuture();
        }));
    }

    private double failovers() {
        return meters.get("sluice.agent.scheduler.failovers").counter().count();
    }

    private static int requested(List<StandInScheduler> schedulers) {
        return schedulers.stream()
                .mapToInt(scheduler -> scheduler.requested.size())
                .sum();
    }

    private static Map<Integer, Long> versions(StandInScheduler scheduler) {
        var versions = new TreeMap<Integer, Long>();
        scheduler.requested.forEach(body -> versions.merge(body.getInteger("protoVersion"), 1L, Long::sum));
        return versions;
    }
}
