package io.sluice.simulation.model;

import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.EndMigration;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.MigrateReply;
import io.sluice.messages.vm.MigrateVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Link;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.model.agent.Flight;
import io.sluice.units.Revision;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The part that writes to the API server. A patch that was sent stays under way even if the process ends. A patch that
 * was not sent when its permit lapses is dropped.
 */
public final class PatcherPart {
    private static final long SLOWEST = Seconds.of(22);
    private static final long GIVEN_UP = Seconds.of(10);
    private static final long QUEUED = Seconds.of(14);
    private static final int ATTEMPTS_MAX = 4;

    private final World world;
    private final Link toApi;
    private final Link fromApi;
    private final Chance queue;
    private final Chance trouble;
    private int life;

    PatcherPart(World world) {
        this.world = world;
        this.toApi = world.faults().link("patcher -> api", SLOWEST);
        this.fromApi = world.faults().link("api -> patcher", SLOWEST);
        this.queue = world.faults().chance("patcher's queue");
        this.trouble = world.faults().chance("api's trouble");
    }

    /** Ends the process; another one starts at once and receives no reply to the earlier calls. */
    void crash() {
        life++;
    }

    /** A call to the API server: it may take effect late or twice, or take effect without a reply. */
    public <A> void call(Supplier<A> done, Consumer<A> answered, Runnable inDoubt) {
        int mine = life;
        world.bus()
                .<A>request(
                        toApi,
                        fromApi,
                        GIVEN_UP,
                        answer -> answer.accept(done.get()),
                        reply -> {
                            if (mine == life) {
                                answered.accept(reply);
                            }
                        },
                        () -> {
                            if (mine == life) {
                                inDoubt.run();
                            }
                        });
    }

    private boolean troubled(int oneIn, String what) {
        return trouble.oneIn(oneIn) && world.faults().happens(trouble, trouble.drawn(), what);
    }

    public void claim(ClaimVm request, Consumer<ClaimReply> answer) {
        claim(request, 1, answer);
    }

    private record Read(ModelVmObject vm, String fence, long version) {}

    private void claim(ClaimVm request, int attempt, Consumer<ClaimReply> answer) {
        Runnable failed = () -> answer.accept(new ClaimReply.Failed("no reply"));
        call(
                () -> world.api().vm(request.vm().name()).map(vm -> new Read(vm, vm.fence, vm.version)),
                read -> {
                    if (read.isEmpty() || !read.get().vm().id.equals(request.vm())) {
                        answer.accept(new ClaimReply.Failed("another VM"));
                    } else if (read.get().fence().startsWith(request.runner() + "+")) {
                        answer.accept(claimed(read.get().vm()));
                    } else {
                        write(request, read.get(), attempt, answer);
                    }
                },
                failed);
    }

    private void write(ClaimVm request, Read read, int attempt, Consumer<ClaimReply> answer) {
        var fence = request.runner() + "+" + read.version() + "/0";
        call(
                () -> world.api().claim(read.vm(), read.fence(), fence, request.runner())
                        ? Optional.of(claimed(read.vm()))
                        : Optional.<ClaimReply>empty(),
                reply -> {
                    if (reply.isPresent()) {
                        answer.accept(reply.get());
                    } else if (attempt < ATTEMPTS_MAX) {
                        claim(request, attempt + 1, answer);
                    } else {
                        answer.accept(new ClaimReply.Failed("overtaken"));
                    }
                },
                () -> answer.accept(new ClaimReply.Failed("no reply")));
    }

    static ClaimReply claimed(ModelVmObject vm) {
        return new ClaimReply.Claimed(
                vm.fence,
                vm.sizes(),
                vm.status.equals(vm.plugged(vm.spec))
                        && vm.current.orElse(Revision.ZERO).equals(vm.target),
                Optional.of(vm.target).filter(reported -> !reported.equals(Revision.ZERO)));
    }

    /** Queues a patch, and sends it unless that is too late by then. */
    public void patch(Flight flight, Consumer<PatchReply> answer) {
        long until = world.time().now() + Seconds.of(flight.patch.sendWithin());
        boolean waits = queue.oneIn(6) && world.faults().happens(queue, queue.drawn(), "full");
        int mine = life;
        world.time().in(waits ? queue.below(QUEUED) : 0, () -> {
            if (mine == life) {
                send(flight, until, answer);
            } else {
                flight.ended();
            }
        });
    }

    private void send(Flight flight, long until, Consumer<PatchReply> answer) {
        if (world.time().now() > until) {
            flight.ended();
            answer.accept(new PatchReply.Refused(0, "too late to be sent"));
            return;
        }
        if (troubled(40, "429")) {
            flight.ended();
            answer.accept(new PatchReply.Refused(429, "too many requests"));
            return;
        }
        boolean fails = troubled(40, "5xx");
        int mine = life;
        toApi.draw();
        var timeout = world.time().in(GIVEN_UP, () -> {
            if (mine == life) {
                answer.accept(new PatchReply.InDoubt("no reply"));
            }
        });
        if (toApi.lost()) {
            flight.ended();
            return;
        }
        boolean again = toApi.twice();
        if (again) {
            flight.begun();
            world.time().in(toApi.second(world.time().now()), () -> arrive(flight));
        }
        world.time().in(toApi.first(world.time().now()), () -> {
            boolean done = arrive(flight);
            fromApi.draw();
            if (!fromApi.lost()) {
                world.time().in(fromApi.first(world.time().now()), () -> {
                    if (mine == life && world.time().now() < timeout.at()) {
                        timeout.cancel();
                        answered(flight, done, fails, answer);
                    }
                });
            }
        });
    }

    public boolean arrive(Flight flight) {
        boolean done = world.api().patch(flight);
        flight.ended();
        if (world.journal().listens()) {
            world.report("api " + (done ? "applies" : "refuses") + " the patch of " + flight.sender + " to "
                    + World.text(flight.patch.target()) + " " + flight.patch.fence());
        }
        return done;
    }

    private void answered(Flight flight, boolean done, boolean fails, Consumer<PatchReply> answer) {
        if (fails) {
            answer.accept(new PatchReply.InDoubt("the API server replied 503"));
        } else if (done) {
            answer.accept(new PatchReply.Patched(flight.vm.version));
        } else {
            call(() -> afterFailedTest(flight), answer, () -> answer.accept(new PatchReply.InDoubt("not read")));
        }
    }

    private PatchReply afterFailedTest(Flight flight) {
        var vm = flight.vm;
        var patch = flight.patch;
        if (!vm.there) {
            return new PatchReply.Refused(404, "the VM is not there");
        }
        if (vm.fence.equals(patch.nextFence()) && vm.spec.equals(patch.target())) {
            return new PatchReply.Patched(vm.version);
        }
        if (!vm.fence.equals(patch.fence())) {
            return new PatchReply.Conflict(vm.spec, vm.fence);
        }
        return new PatchReply.Refused(422, "the VM runs elsewhere");
    }

    void migrate(MigrateVm request, Consumer<MigrateReply> answer) {
        call(() -> world.movers().create(request), answer, () -> answer.accept(new MigrateReply.InDoubt("no reply")));
    }

    void end(EndMigration request, Consumer<EndReply> answer) {
        call(
                () -> {
                    world.api()
                            .move(request.name())
                            .filter(move -> move.uid.equals(request.uid()))
                            .ifPresent(world.movers()::delete);
                    return new EndReply.Ended();
                },
                answer::accept,
                () -> answer.accept(new EndReply.Failed("no reply")));
    }
}
