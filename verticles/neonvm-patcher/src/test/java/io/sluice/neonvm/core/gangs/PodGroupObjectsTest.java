package io.sluice.neonvm.core.gangs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.neonvm.core.objects.KubernetesJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

class PodGroupObjectsTest {
    private static JsonNode json(String text) {
        try {
            return KubernetesJson.MAPPER.readTree(text.replace('\'', '"'));
        } catch (IOException noJson) {
            throw new UncheckedIOException(noJson);
        }
    }

    @Test
    void picksWhatSchedulingReadsOfAGang() {
        var group = json("""
            {'metadata':{'name':'g','namespace':'ns','uid':'u','creationTimestamp':'2026-11-21T00:00:00Z',
              'annotations':{'gang.scheduling.koordinator.sh/mode':'NonStrict','other':'x'}},
             'spec':{'minMember':3,'scheduleTimeoutSeconds':20,
              'minResources':{'cpu':'6500m','memory':'2Gi','nvidia.com/gpu':'3'}},'status':{'phase':'Running'}}\
            """);
        assertThat(json(PodGroupObjects.fields(PodGroupObjects.X_K8S, group).toString()))
                .isEqualTo(json("""
                    {'group':'scheduling.x-k8s.io','namespace':'ns','name':'g','uid':'u','createdAt':'2026-11-21T00:00:00Z',
                     'phase':'Running','minMember':3,'timeoutSeconds':20,
                     'minResources':{'cpu':6500,'memory':2147483648,'nvidia.com/gpu':3},'annotations':{'mode':'NonStrict'}}\
                    """));
    }

    @Test
    void refusesAnAmountThatIsNoQuantity() {
        var group = json("{'metadata':{'name':'g'},'spec':{'minMember':3,'minResources':{'cpu':'many'}}}");
        assertThatThrownBy(() -> PodGroupObjects.fields(PodGroupObjects.X_K8S, group))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("many");
    }
}
