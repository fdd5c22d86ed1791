package io.sluice.simulation.model;

import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.gateway.core.RateLimiter;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The gateway, by which agents of the reference make their requests: its real cores, and the way to the ledger. */
public final class GatewayPart {
    private static final long LEDGER_TIMEOUT = Seconds.of(1);
    private static final long TICK = Seconds.of(1);
    private static final Duration WAIT_MAX = Duration.ofSeconds(2);
    private static final int PER_SECOND = 10;
    private static final int BURST = 20;
    private static final int STORM = 200;

    private final World world;
    private final Clock clock;
    private final Link toLedger;
    private final Link fromLedger;
    private final Map<String, Connection> connections = new LinkedHashMap<>();
    private String noisy = "";
    private RateLimiter gate = new RateLimiter(PER_SECOND, BURST);
    private int life;

    /** The agent of one pod. */
    private static final class Connection {
        private final GatewayClient client;
        private Consumer<RunnerEvent> back = event -> {};
        private ReferenceSession seat;

        Connection(GatewayClient client) {
            this.client = client;
        }
    }

    GatewayPart(World world) {
        this.world = world;
        this.clock = world.clock("gateway");
        toLedger = world.bus().link("gateway -> ledger");
        fromLedger = world.bus().link("ledger -> gateway");
        world.time().in(TICK, this::tick);
    }

    /** The process ends with its connections, and another takes its place, which opens sessions anew. */
    void crash() {
        life++;
        clock.reset();
        gate = new RateLimiter(PER_SECOND, BURST);
        var broken = Map.copyOf(connections);
        connections.clear();
        broken.values().forEach(connection -> {
            connection.client.hangUp(clock.now());
            connection.client.takeAnswers().forEach(connection.back);
        });
    }

    /** {@code back} takes what is replied, at once. */
    void ask(ReferenceSession seat, long number, PermitRequest question, Consumer<RunnerEvent> back) {
        if (isTurnedAway(question.member())) {
            back.accept(new RunnerEvent.RequestFailed(number, "429"));
            return;
        }
        boolean storm =
                question.member().equals(noisy) && !world.faults().ceased() && seat.believesIn(question.target());
        var connection = connections.computeIfAbsent(
                question.member(),
                pod -> new Connection(new GatewayClient("gateway-" + life, WAIT_MAX, seat.namesPermit())));
        connection.seat = seat;
        connection.back = back;
        connection.client.ask(number, question, clock.now());
        for (int copy = 0; storm && copy < STORM; copy++) {
            if (!isTurnedAway(noisy)) {
                connection.client.askAgain(question, clock.now());
            }
        }
        perform(connection);
    }

    /** From now on the agent of that pod sends each request that changes nothing many times over. */
    void storm(String pod) {
        noisy = pod;
    }

    private boolean isTurnedAway(String pod) {
        boolean turned = gate.pass(pod, clock.now()).isPresent();
        if (turned) {
            world.happened(new Happening.TurnedAway(pod, pod.equals(noisy)));
        }
        return turned;
    }

    void hangUp(String pod) {
        var connection = connections.get(pod);
        if (connection != null) {
            connection.client.hangUp(clock.now());
            perform(connection);
        }
    }

    private void tick() {
        gate.tidy(clock.now());
        connections.values().forEach(connection -> {
            connection.client.tick(clock.now());
            perform(connection);
        });
        world.time().in(TICK, this::tick);
    }

    private void perform(Connection connection) {
        connection.client.takeCommands().forEach(command -> send(connection, command));
        connection.client.takeAnswers().forEach(connection.back);
    }

    private void send(Connection connection, LedgerCommand<?> command) {
        var over = new boolean[1];
        int mine = life;
        Consumer<Runnable> once = work -> {
            if (!over[0] && mine == life) {
                work.run();
                perform(connection);
            }
            over[0] = true;
        };
        Consumer<Object> replied = reply -> once.accept(() -> connection.client.replied(reply, clock.now()));
        world.bus()
                .<Object>ask(
                        toLedger,
                        fromLedger,
                        LEDGER_TIMEOUT,
                        answer -> serve(connection, command, mine, replied, answer),
                        replied,
                        () -> once.accept(() -> connection.client.timedOut(clock.now())));
    }

    private void serve(
            Connection connection,
            LedgerCommand<?> command,
            int mine,
            Consumer<Object> surely,
            Consumer<Object> answer) {
        if (command instanceof LedgerCommand.Open open) {
            world.ledger().serve(open.question().node(), open, answer);
        } else if (command instanceof LedgerCommand.RequestPermit ask) {
            world.ledger().reach(ask.question().node(), () -> serve(connection, ask, mine, surely, answer));
        }
    }

    private void serve(
            Connection connection,
            LedgerCommand.RequestPermit ask,
            int mine,
            Consumer<Object> surely,
            Consumer<Object> answer) {
        boolean awaited = mine == life
                && connection.client.isNewest()
                && !connection.seat.outgrew(ask.question().target());
        boolean changesNothing = connection.seat.believesIn(ask.question().target());
        if (!awaited && !changesNothing && !connection.seat.mayLoseDecreases()) {
            return;
        }
        var reply = world.ledger().run(ask.question().node(), ask);
        boolean lowers = reply instanceof PermitReply.Ruled ruled && connection.seat.lowers(ruled.permit());
        if (awaited && lowers && !connection.seat.mayLoseDecreases()) {
            surely.accept(reply);
        } else {
            answer.accept(reply);
        }
    }
}
