package io.sluice.simulation.model.agent;

import io.sluice.agent.core.runner.RunnerEvent;
import io.sluice.gateway.core.EventLoopLag;
import io.sluice.gateway.core.RateLimiter;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Clock;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The gateway to which agents of the reference send their requests: its real cores, and its links to the ledger. */
public final class GatewayPart {
    private static final long LEDGER_TIMEOUT = Seconds.of(1);
    private static final long TICK = Seconds.of(1);
    private static final Duration WAIT_MAX = Duration.ofSeconds(2);
    private static final int PER_SECOND = 10;
    private static final int BURST = 20;
    private static final int STORM = 200;
    private static final Duration LAG_PACE = Duration.ofMillis(50);
    private static final Duration LAG_MAX = Duration.ofMillis(250);
    private static final long FIRST_TICK = 2_000;
    private static final long READ_WITHIN = Seconds.ofMillis(500);
    private static final long TICKS_FOR = Seconds.of(2);
    private static final long PAUSE_MIN = Seconds.of(4);
    private static final long PAUSE_MORE = Seconds.of(15);

    private final World world;
    private final Clock clock;
    private final Link toLedger;
    private final Link fromLedger;
    private final Map<String, Connection> connections = new LinkedHashMap<>();
    private String noisy = "";
    private RateLimiter gate = new RateLimiter(PER_SECOND, BURST);
    private Optional<EventLoopLag> lag = Optional.empty();
    private boolean standsStill;
    private final List<Unread> unread = new ArrayList<>();
    private int life;

    /** A request in a socket of the gateway; {@code back} receives the reply. */
    private record Unread(ReferenceSession session, long number, PermitRequest request, Consumer<RunnerEvent> back) {}

    /** The connection of the agent of one pod. */
    private static final class Connection {
        private final GatewayClient client;
        private Consumer<RunnerEvent> back = event -> {};
        private ReferenceSession session;

        Connection(GatewayClient client) {
            this.client = client;
        }
    }

    /** @param pauseMillis average time between pauses; 0 if it has none */
    public GatewayPart(World world, int pauseMillis) {
        this.world = world;
        this.clock = world.clock("gateway");
        toLedger = world.bus().link("gateway -> ledger");
        fromLedger = world.bus().link("ledger -> gateway");
        world.time().in(TICK, this::tick);
        if (pauseMillis > 0) {
            pauseSoon(world.faults().chance("pauses of the gateway"), Seconds.ofMillis(pauseMillis));
        }
    }

    private void pauseSoon(Chance chance, long apart) {
        world.time().in(1 + chance.below(2 * apart), () -> {
            var own = world.faults().chance("pause " + chance.drawn());
            if (world.faults().happens(chance, chance.drawn(), "the gateway stands still")) {
                standStill(PAUSE_MIN + own.below(PAUSE_MORE), own);
            }
            if (!world.faults().ceased()) {
                pauseSoon(chance, apart);
            }
        });
    }

    /** Ends the process and its connections; another one starts and opens new sessions. */
    public void crash() {
        life++;
        lag = Optional.empty();
        standsStill = false;
        unread.forEach(request -> fail(request, "the connection is closed"));
        unread.clear();
        clock.reset();
        gate = new RateLimiter(PER_SECOND, BURST);
        var broken = Map.copyOf(connections);
        connections.clear();
        broken.values().forEach(connection -> {
            connection.client.hangUp(clock.now());
            connection.client.takeAnswers().forEach(connection.back);
        });
    }

    /**
     * Stops the process for that time. Requests that come meanwhile wait in sockets, also those that their agents give
     * up. They stand for the sockets of several gateways: they are read in any order, some of them before the first
     * tick. Without effect while an agent awaits a reply: what was under way is a matter of lost replies.
     */
    private void standStill(long nanos, Chance chance) {
        if (standsStill || connections.values().stream().anyMatch(connection -> connection.client.awaited())) {
            return;
        }
        standsStill = true;
        lag = Optional.of(new EventLoopLag(LAG_PACE, LAG_MAX, clock.now()));
        int mine = life;
        world.time().in(nanos, () -> {
            if (mine == life) {
                goOn(chance);
            }
        });
    }

    private void goOn(Chance chance) {
        standsStill = false;
        int mine = life;
        for (var request : unread) {
            long after = 1 + chance.below(chance.oneIn(2) ? FIRST_TICK - 1 : READ_WITHIN);
            world.time().in(after, () -> {
                if (mine == life) {
                    request(request);
                } else {
                    fail(request, "the connection is closed");
                }
            });
        }
        unread.clear();
        tickSoon(FIRST_TICK, world.time().now() + TICKS_FOR, lag.orElseThrow());
    }

    private void tickSoon(long nanos, long end, EventLoopLag since) {
        world.time().in(nanos, () -> {
            if (standsStill || lag.filter(since::equals).isEmpty()) {
                return;
            }
            since.ticked(clock.now());
            if (world.time().now() < end) {
                tickSoon(LAG_PACE.toNanos(), end, since);
            } else {
                lag = Optional.empty();
            }
        });
    }

    /** Sends a request; {@code back} receives the reply. */
    void request(ReferenceSession session, long number, PermitRequest request, Consumer<RunnerEvent> back) {
        request(new Unread(session, number, request, back));
    }

    private void request(Unread request) {
        if (standsStill) {
            unread.add(request);
        } else {
            read(request);
        }
    }

    private static void fail(Unread request, String why) {
        request.back().accept(new RunnerEvent.RequestFailed(request.number(), why));
    }

    private void read(Unread request) {
        if (lag.filter(it -> it.isTooLate(clock.now())).isPresent()) {
            fail(request, "503");
        } else if (isTurnedAway(request.request().pod())) {
            fail(request, "429");
        } else {
            handle(request.session(), request.number(), request.request(), request.back());
        }
    }

    private void handle(ReferenceSession session, long number, PermitRequest request, Consumer<RunnerEvent> back) {
        boolean storm = request.pod().equals(noisy) && !world.faults().ceased() && session.trusts(request.target());
        var connection = connections.computeIfAbsent(
                request.pod(),
                pod -> new Connection(new GatewayClient("gateway-" + life, WAIT_MAX, session.namesPermit())));
        connection.session = session;
        connection.back = back;
        connection.client.request(number, request, clock.now());
        for (int copy = 0; storm && copy < STORM; copy++) {
            if (!isTurnedAway(noisy)) {
                connection.client.requestAgain(request, clock.now());
            }
        }
        perform(connection);
    }

    /** From now on the agent of that pod sends each request that changes nothing many times. */
    public void storm(String pod) {
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
        if (!standsStill) {
            gate.tidy(clock.now());
            connections.values().forEach(connection -> {
                connection.client.tick(clock.now());
                perform(connection);
            });
        }
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
                .<Object>request(
                        toLedger,
                        fromLedger,
                        LEDGER_TIMEOUT,
                        answer -> serve(connection, command, () -> !over[0] && mine == life, replied, answer),
                        replied,
                        () -> once.accept(() -> connection.client.timedOut(clock.now())));
    }

    private void serve(
            Connection connection,
            LedgerCommand<?> command,
            BooleanSupplier pending,
            Consumer<Object> surely,
            Consumer<Object> answer) {
        if (command instanceof LedgerCommand.Open open) {
            world.ledger().serve(open.request().node(), open, answer);
        } else if (command instanceof LedgerCommand.RequestPermit request) {
            world.ledger().reach(request.request().node(), () -> serve(connection, request, pending, surely, answer));
        }
    }

    private void serve(
            Connection connection,
            LedgerCommand.RequestPermit request,
            BooleanSupplier pending,
            Consumer<Object> surely,
            Consumer<Object> answer) {
        var node = request.request().node();
        var session = connection.session;
        boolean rejected = session.outgrew(world.ledger().permitOf(request));
        boolean awaited = pending.getAsBoolean() && connection.client.isNewest();
        boolean changesNothing = session.trusts(request.request().target());
        if ((rejected || !awaited && !changesNothing) && !session.mayLoseDecreases()) {
            return;
        }
        boolean shown =
                world.ledger().isObservedSinceGrowth(node, request.request().pod());
        var reply = world.ledger().run(node, request);
        if (reply instanceof PermitReply.Ruled) {
            session.requestedLess(request.request().target(), shown);
        }
        boolean lowers = reply instanceof PermitReply.Ruled ruled && session.lowers(ruled.permit());
        if (awaited && lowers && !session.mayLoseDecreases()) {
            surely.accept(reply);
        } else {
            answer.accept(reply);
        }
    }
}
