import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.deidentifier.arx.*;
import org.deidentifier.arx.criteria.DPresence;
import org.deidentifier.arx.metric.Metric;
import org.deidentifier.arx.AttributeType.Hierarchy;

/** The optimum of ARX for δ-presence: prints node, loss and the median time of some searches after others for warming up. */
public class Optimum {
    public static void main(String[] arguments) throws Exception {
        String table = arguments[0];
        int warm = Integer.parseInt(arguments[1]), runs = Integer.parseInt(arguments[2]);
        for (int m = 3; m < arguments.length; m++) {
            double max = Double.parseDouble(arguments[m]);
            double[] seconds = new double[runs];
            String line = "";
            for (int run = 0; run < warm + runs; run++) {
                Data data = Data.create(table + ".csv", StandardCharsets.UTF_8, ';');
                Data subset = Data.create(table + "_subset.csv", StandardCharsets.UTF_8, ';');
                DataHandle handle = data.getHandle();
                for (int c = 0; c < handle.getNumColumns(); c++) {
                    String name = handle.getAttributeName(c);
                    File file = new File(table + "_hierarchy_" + name + ".csv");
                    data.getDefinition().setAttributeType(name, AttributeType.QUASI_IDENTIFYING_ATTRIBUTE);
                    data.getDefinition().setHierarchy(name, Hierarchy.create(file, StandardCharsets.UTF_8, ';'));
                }
                ARXConfiguration config = ARXConfiguration.create();
                DataSubset rows = DataSubset.create(data, subset);
                config.addPrivacyModel(new DPresence(0, max, rows));
                config.setSuppressionLimit(0d);
                config.setQualityModel(Metric.createLossMetric(Metric.AggregateFunction.GEOMETRIC_MEAN));
                long start = System.nanoTime();
                ARXResult result = new ARXAnonymizer().anonymize(data, config);
                double time = (System.nanoTime() - start) / 1e9;
                if (run >= warm) seconds[run - warm] = time;
                ARXLattice.ARXNode node = result.getGlobalOptimum();
                line = node == null ? "none" : String.format("%.4f  %s", Double.parseDouble(node.getHighestScore().toString()), Arrays.toString(node.getTransformation()));
            }
            Arrays.sort(seconds);
            System.out.printf("%s  %.3f s  %s%n", arguments[m], seconds[runs / 2], line);
        }
    }
}
