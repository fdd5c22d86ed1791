package io.sluice.placement.core.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.placement.core.Given;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ElasticOutcomeTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00.750Z");

    private static ObservedJob job(String name, int min, int max, int replicas, String pods, String more) {
        return ObservedJob.of(json("""
            {'namespace':'ns','name':'%s','uid':'u','generation':3,'version':'7','createdAt':'2026-11-26T11:00:00Z',
             'priority':0,'min':%d,'max':%d,'targetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d-%s'},
             'status':{},'scaleVersion':'8','replicas':%d,'requests':{'cpu':1000},'limits':{},'pods':[%s],'quota':{}%s}\
            """.formatted(name, min, max, name, replicas, pods, more)));
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException noJson) {
            throw new IllegalArgumentException(text, noJson);
        }
    }

    private static String pods(String node, int count) {
        return String.join(",", Collections.nCopies(count, "{'name':'p','node':'" + node + "'}"));
    }

    private static LedgerRoom room(long milliCpu) {
        return LedgerRoom.of(List.of(Given.free("n", new Resources(milliCpu, 0), Map.of())));
    }

    private static List<ElasticOutcome.Write> writes(long free, ObservedJob... jobs) {
        var observed = List.of(jobs);
        return ElasticOutcome.writes(observed, plan(free, observed), NOW);
    }

    private static ElasticPlan plan(long free, List<ObservedJob> observed) {
        var planned = observed.stream().flatMap(job -> job.job().stream()).toList();
        return ElasticPlanner.plan(ElasticRules.DEFAULTS, room(free), ObservedJob.quotas(observed), planned, NOW);
    }

    /** The same job after a write, as it is observed next. */
    private static ObservedJob written(ElasticOutcome.Write write) {
        var object = (ObjectNode) write.job().object().deepCopy();
        var status = write.status().deepCopy();
        if (status.path("handover").isNull()) {
            status.remove("handover");
        }
        object.set("status", status);
        object.put("replicas", write.replicas());
        return ObservedJob.of(object);
    }

    @Test
    void writesWhatAnotherProcessNeedsToGoOn() {
        var large = job("large", 1, 8, 4, pods("n", 4), "");
        var newcomer = job("newcomer", 2, 4, 0, "", "");

        var writes = writes(0, large, newcomer);

        assertThat(writes).extracting(write -> write.job().id()).containsExactly("ns/newcomer", "ns/large");
        assertThat(writes).extracting(ElasticOutcome.Write::replicas).containsExactly(0, 2);
        assertThat(writes.getFirst().status().at("/conditions/0").toString())
                .contains(
                        "\"status\":\"False\"",
                        "\"reason\":\"RoomComes\"",
                        "other jobs give members for it: ns/large 2");
        var again = writes.stream().map(ElasticOutcomeTest::written).toList();
        assertThat(again.getFirst().job().orElseThrow().handover())
                .contains(new ElasticJob.Handover(Instant.parse("2026-11-26T12:00:00Z"), Map.of("ns/large", 2)));
        assertThat(again.getLast().job().orElseThrow().shrunkAt()).contains(Instant.parse("2026-11-26T12:00:00Z"));
        assertThat(plan(1_000, again).changes()).as("half of the room is free").isEmpty();
        assertThat(ElasticOutcome.writes(again, plan(1_000, again), NOW)).isEmpty();
        assertThat(plan(2_000, again).changes()).containsExactly(new ElasticPlan.Begin("ns/newcomer", 2));
    }

    @Test
    void keepsTheRoomThatIsGivenForTheWorkload() {
        var observed = List.of(
                job("large", 1, 8, 2, pods("n", 4), ""),
                ObservedJob.of(
                        ((ObjectNode) job("newcomer", 2, 4, 0, "", "").object().deepCopy()).set("status", json("""
                            {'target':0,'handover':{'since':'2026-11-26T12:00:00Z','givers':{'ns/large':2}}}\
                            """))));

        var rooms = ElasticRooms.kept(room(0), observed, Set.of());

        assertThat(rooms)
                .containsExactly(
                        new KeptRoom("n", "workload/ns/newcomer", "ns/d-newcomer", new Resources(2_000, 0), 0));
        assertThat(rooms.getFirst().isFor("any", "ns", "d-newcomer-7f-x")).isTrue();
        assertThat(rooms.getFirst().isFor("any", "ns", "d-new")).isFalse();
        assertThat(rooms.getFirst().isFor("any", "other", "d-newcomer-7f-x")).isFalse();
    }

    /** Which of its pods leave is the choice of the workload's controller. */
    @Test
    void keepsRoomWhereverAMemberMayLeave() {
        var observed = List.of(
                job("large", 1, 8, 2, pods("n", 2) + "," + pods("m", 2), ""),
                ObservedJob.of(
                        ((ObjectNode) job("newcomer", 2, 4, 0, "", "").object().deepCopy()).set("status", json("""
                            {'target':0,'handover':{'since':'2026-11-26T12:00:00Z','givers':{'ns/large':2}}}\
                            """))));
        var room = LedgerRoom.of(List.of(
                Given.free("n", Resources.NONE, Map.of()),
                Given.free("m", new Resources(500, 0), Map.of()),
                Given.free("other", new Resources(900, 0), Map.of())));

        assertThat(ElasticRooms.kept(room, observed, Set.of()))
                .extracting(KeptRoom::node, KeptRoom::charge)
                .containsExactlyInAnyOrder(tuple("n", new Resources(2_000, 0)), tuple("m", new Resources(2_000, 0)));
    }

    @Test
    void namesWhatIsWrongWithAJob() {
        var broken = job("broken", 1, 2, 0, "", ",'broken':'GET /x was answered 404'");
        var bounds = job("bounds", 3, 2, 0, "", "");

        var writes = writes(0, broken, bounds);

        assertThat(writes)
                .extracting(write -> write.status().at("/conditions/0/message").asText())
                .containsExactly(
                        "GET /x was answered 404", "a job has 1 <= min <= max, not min 3 and max 2, and target 0");
        assertThat(writes(0, written(writes.getFirst()))).as("once").isEmpty();
    }

    /** Members of a CPU each, of which some have half of one. */
    private static String sized(int large, int small) {
        var pods = new StringBuilder();
        for (int i = 0; i < large + small; i++) {
            int cpu = i < large ? 1_000 : 500;
            pods.append(i == 0 ? "" : ",")
                    .append("{'name':'p%d','node':'n','resizable':true,".formatted(i))
                    .append("'requests':{'cpu':%1$d,'memory':100},'desired':{'cpu':%1$d,'memory':100}}".formatted(cpu));
        }
        return pods.toString();
    }

    private static ObservedJob sized(String name, int replicas, String pods, String more) {
        return job(
                name,
                1,
                8,
                replicas,
                pods,
                ",'requests':{'cpu':1000,'memory':100},'inPlace':{'cpu':500,'memory':100}" + more);
    }

    private static LedgerRoom roomWithMemory(long milliCpu) {
        return LedgerRoom.of(List.of(Given.free("n", new Resources(milliCpu, 10_000), Map.of())));
    }

    private static List<ElasticPlan.Change> changes(long free, ObservedJob... jobs) {
        var planned = List.of(jobs).stream().flatMap(job -> job.job().stream()).toList();
        return ElasticPlanner.plan(
                        ElasticRules.DEFAULTS, roomWithMemory(free), ObservedJob.quotas(List.of(jobs)), planned, NOW)
                .changes();
    }

    @Test
    void noMemberLeavesWhereSmallerMembersAreEnough() {
        var large = sized("large", 4, sized(4, 0), "");

        var changes = changes(0, large, job("newcomer", 1, 1, 0, "", ""));
        assertThat(changes).hasSize(2);
        assertThat(changes.getFirst()).isInstanceOfSatisfying(ElasticPlan.Resize.class, resize -> {
            assertThat(resize.pods()).as("no more than are needed").hasSize(2);
            assertThat(resize.size()).isEqualTo(new Resources(500, 100));
            assertThat(resize.newcomer()).isEqualTo("ns/newcomer");
        });
        assertThat(changes.getLast()).isInstanceOf(ElasticPlan.Await.class);

        assertThat(changes(0, large, job("huge", 3, 3, 0, "", "")))
                .as("smaller members are not enough")
                .contains(new ElasticPlan.Shrink("ns/large", 1, "ns/huge"))
                .noneMatch(ElasticPlan.Resize.class::isInstance);
    }

    @Test
    void membersGetTheirFullSizeBeforeThereAreMoreOfThem() {
        var rested = sized("large", 4, sized(2, 2), ",'status':{'target':4,'shrunkAt':'2026-11-26T11:58:00Z'}");
        assertThat(changes(1_600, rested))
                .containsExactly(new ElasticPlan.Resize("ns/large", Set.of("p2", "p3"), new Resources(1_000, 100), ""));
        assertThat(changes(700, rested))
                .as("room for one of them")
                .containsExactly(new ElasticPlan.Resize("ns/large", Set.of("p2"), new Resources(1_000, 100), ""));

        var tired = sized("large", 4, sized(2, 2), ",'status':{'target':4,'shrunkAt':'2026-11-26T11:59:30Z'}");
        assertThat(changes(1_600, tired)).isEmpty();
        var quota = ",'status':{'target':4},'quota':{'cpu':600}";
        assertThat(changes(1_600, sized("large", 4, sized(2, 2), quota)))
                .as("by the quota")
                .containsExactly(new ElasticPlan.Resize("ns/large", Set.of("p2"), new Resources(1_000, 100), ""));
    }

    @Test
    void membersGetAnotherSizeInTheOrderOfNames() {
        var pods = List.of("alder", "birch", "cedar", "elm", "fir", "hazel", "maple", "oak", "pine", "yew");
        assertThat(new ElasticPlan.Resize("ns/j", Set.copyOf(pods), new Resources(500, 100), "").pods())
                .containsExactlyElementsOf(pods);
    }

    @Test
    void obeysQuotasOfRequestsAndLimits() {
        var quota = ",'limits':{'cpu':2000},'quota':{'limits.cpu':6000,'cpu':9000,'secrets':1}";
        assertThat(plan(20_000, List.of(job("j", 1, 9, 0, "", quota))).changes())
                .containsExactly(new ElasticPlan.Begin("ns/j", 3));
    }
}
